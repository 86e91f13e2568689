import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeGlobal } from '../lanes/fleets.ts';
import { ensureBuilt } from '../support/build.ts';
import type { Surroundings } from '../support/environment.ts';
import { KEYS, onTerminal } from '../support/terminal.ts';
import { LANES, pressTab, world } from './completing.ts';

beforeAll(ensureBuilt);

describe('zsh', () => {
  it('takes the script', () => {
    const { where } = world();
    const { status, stderr } = spawnSync('bash', ['-c', 'baton completion zsh | zsh -n'], {
      env: where.env,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
    const bare = spawnSync('zsh', ['-f', '-c', 'source <(baton completion zsh)'], {
      env: where.env,
      encoding: 'utf8',
    });
    expect(bare.stderr).toContain('autoload -Uz compinit');
  });

  it('completes at a key', async () => {
    const { where, dir } = world();
    writeGlobal(where, LANES);
    mkdirSync(join(dir, 'a folder'));
    writeFileSync(join(dir, 'a-brief.md'), '');
    const shell = onTerminal(['zsh', '-f', '-i'], { cwd: dir, env: { ...where.env, PS1: '> ' } });
    await shell.showing('> ');
    shell.type(
      `autoload -Uz compinit; compinit -D -u; source <(baton completion zsh); echo rea""dy${KEYS.enter}`,
    );
    await shell.showing('ready');
    await pressTab(shell, 'baton lanes li', 'list ');
    await pressTab(shell, 'baton dispatch --lane ', 'hard-one');
    await pressTab(shell, 'baton dispatch --lane=har', 'hard-one ');
    await pressTab(shell, 'baton dispatch --brief a-b', 'a-brief.md ');
    await pressTab(shell, 'baton dispatch --cd a', 'a\\ folder/');
    shell.type(`exit 0${KEYS.enter}`);
    expect(await shell.ended).toBe(0);
  });
});

describe('fish', () => {
  /** What fish itself would offer for a line, without descriptions. */
  function completed(where: Surroundings, dir: string, line: string): string[] {
    const { stdout, stderr, status } = spawnSync(
      'fish',
      ['--no-config', '-c', 'baton completion fish | source; complete -C $argv[1]', line],
      { cwd: dir, env: where.env, encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([0, '']);
    return stdout
      .split('\n')
      .filter((word) => word !== '')
      .map((word) => word.split('\t')[0] ?? '');
  }

  it('completes', () => {
    const { where, dir } = world();
    writeGlobal(where, LANES);
    mkdirSync(join(dir, 'a folder'));
    writeFileSync(join(dir, 'a-brief.md'), '');
    expect(completed(where, dir, 'baton la')).toEqual(['lanes', 'land']);
    expect(completed(where, dir, 'baton lanes li')).toEqual(['list']);
    expect(completed(where, dir, 'baton dispatch --lane ')).toEqual(['mechanical', 'hard-one']);
    expect(completed(where, dir, 'baton dispatch --lane=h')).toEqual(['--lane=hard-one']);
    expect(completed(where, dir, 'baton dispatch --brief a-b')).toEqual(['a-brief.md']);
    expect(completed(where, dir, 'baton dispatch --brief=a-b')).toEqual(['--brief=a-brief.md']);
    expect(completed(where, dir, 'baton dispatch --cd a')).toEqual(['a folder/']);
  });

  it('runs nothing of what was typed', () => {
    const { where, dir } = world();
    const trap = join(where.root, 'pwned');
    completed(where, dir, `baton dispatch --cd (touch ${trap}) --lane `);
    completed(where, dir, `baton dispatch --brief (touch ${trap})`);
    expect(existsSync(trap)).toBe(false);
  });
});
