import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder with an environment made from nothing, for the programs that are measured. */
export function makeWorld() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'baton-bench-')));
  for (const name of ['bin', 'home', 'tmp', 'state', 'runs']) mkdirSync(join(root, name));
  symlinkSync(process.execPath, join(root, 'bin', 'node'));
  const env = {
    PATH: `${join(root, 'bin')}:/usr/local/bin:/usr/bin:/bin`,
    HOME: join(root, 'home'),
    TMPDIR: join(root, 'tmp'),
    LANG: 'C.UTF-8',
    BATON_HOME: join(root, 'state'),
    GIT_CONFIG_GLOBAL: '/dev/null',
  };
  return { root, env, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** Puts a `/bin/sh` program on the world's PATH as `claude`. */
export function makeFake(world, body) {
  const file = join(world.root, 'bin', 'claude');
  writeFileSync(
    file,
    `#!/bin/sh\nif [ "$1" = --version ]; then echo '2.1.332 (Claude Code)'; exit 0; fi\n${body}\n`,
  );
  chmodSync(file, 0o755);
}

/** A git repository of `count` small files in folders of 100, all committed. */
export function makeRepository(world, name, count) {
  const dir = join(world.root, name);
  for (let index = 0; index < count; index += 1) {
    const folder = join(dir, `d${Math.floor(index / 10_000)}`, `e${Math.floor(index / 100) % 100}`);
    if (index % 100 === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file-${index}.txt`), `content of file ${index}\n`);
  }
  const git = (...args) =>
    execFileSync('git', ['-C', dir, ...args], { env: world.env, stdio: ['ignore', 'ignore', 'inherit'] });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Bench');
  git('config', 'user.email', 'bench@example.invalid');
  git('add', '-A');
  git('commit', '-q', '-m', 'all');
  // Entries as young as the index are read again by every status: an hour's age makes the index warm for all.
  execFileSync('find', [dir, '-name', '*.txt', '-exec', 'touch', '-d', '1 hour ago', '{}', '+']);
  git('status');
  return dir;
}
