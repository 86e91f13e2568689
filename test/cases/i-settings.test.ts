import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Ended, runBaton } from '../support/baton.ts';
import { surroundings } from '../support/environment.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';

interface World {
  repository: TestRepository;
  settings: string;
  hooks: (...args: string[]) => Promise<Ended>;
  env: { [name: string]: string };
}

/** A project, in a folder with a space in its name, with these settings. */
function world(settings: string | Uint8Array | null, name = 'a b'): World {
  const { root, env } = surroundings();
  const repository = makeRepository({ dir: join(root, name) });
  const path = join(repository.dir, '.claude', 'settings.json');
  mkdirSync(dirname(path));
  if (settings !== null) writeFileSync(path, settings);
  return {
    repository,
    settings: path,
    env,
    hooks: (...args) => runBaton(['hooks', ...args, '--target', 'claude'], { env, cwd: repository.dir }),
  };
}

function commandsIn(path: string): string[] {
  const commands: string[] = [];
  JSON.parse(readFileSync(path, 'utf8').replace(/^\ufeff/, ''), (key, value: unknown) => {
    if (key === 'command' && typeof value === 'string') commands.push(value);
    return value;
  });
  return commands;
}

describe('I1 what is no JSON', () => {
  test.each([
    ['a comment', '{\n  "a": 1 // c\n}\n', 2, 'a comment'],
    ['a block comment', '{\n  "a": 1\n}\n/* */', 4, 'a comment'],
    ['a trailing comma', '{\n  "a": 1,\n}\n', 3, 'a comma with nothing after it'],
    ['half a file', '{\n  "a": {', 2, 'no JSON'],
  ])('%s: refused with the line, nothing is written', async (_, text, line, what) => {
    const { hooks, settings, repository } = world(text);
    for (const verb of ['install', 'uninstall']) {
      const { code, stdout, stderr } = await hooks(verb, '--yes');
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(`.claude/settings.json, line ${line}: it `);
      expect(stderr).toContain(what);
      expect(stderr).toContain('claude ignores such a whole file in silence, codex refuses it');
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
    expect(readFileSync(settings, 'utf8')).toBe(text);
    expect(repository.status()).toEqual(['?? .claude/settings.json']);
  });
});

test('I2 a byte order mark and Windows line ends stay, and come back with every byte', async () => {
  const text = '\ufeff{\r\n\t"env": { "A": "\\u00e9" },\r\n\t"big": 12345678901234567890\r\n}\r\n';
  const { hooks, settings } = world(text);
  expect((await hooks('install', '--yes')).code).toBe(0);
  const installed = readFileSync(settings, 'utf8');
  expect(installed.startsWith(text.slice(0, -'\r\n}\r\n'.length))).toBe(true);
  expect(installed.replaceAll('\r\n', '')).not.toContain('\n');
  expect(commandsIn(settings)).toHaveLength(2);
  expect((await hooks('uninstall', '--yes')).code).toBe(0);
  expect(readFileSync(settings, 'utf8')).toBe(text);
});

test('I3 installed three times, over another command and an old hook without a marker: exactly one of each', async () => {
  const old = (command: string) => ({ hooks: [{ type: 'command', command }] });
  const { hooks, settings } = world(
    JSON.stringify({
      hooks: {
        UserPromptSubmit: [
          old('"$CLAUDE_PROJECT_DIR"/.claude/hooks/skill-activation-prompt.sh'),
          old('node "/old place/x.cjs" baton-hook:skill-activation'),
        ],
        PostToolUse: [old('.claude/hooks/post-tool-use-tracker.sh')],
      },
    }),
  );
  const seen: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    expect((await hooks('install', '--yes')).code).toBe(0);
    seen.push(readFileSync(settings, 'utf8'));
  }
  expect(new Set(seen).size).toBe(1);
  expect(commandsIn(settings).map((command) => /baton-hook:\S+/.exec(command)?.[0])).toEqual([
    'baton-hook:skill-activation',
    'baton-hook:edit-tracker',
  ]);
});

describe('I4 what others have', () => {
  const theirs = `{"hooks":{"UserPromptSubmit":[{"matcher":"", "hooks":[{"type":"command","command":"mine.sh","timeout":61.0}]}],
   "NeverHeardOf": {"x": [1,2 ]}}, "permissions":{"deny":["Read(./.env)"]} , "x": 1e2}`;

  test('stays through install and uninstall, also where somebody wrote in between', async () => {
    const { hooks, settings } = world(theirs);
    expect((await hooks('install', '--yes')).code).toBe(0);
    const installed = readFileSync(settings, 'utf8');
    expect(commandsIn(settings)[0]).toBe('mine.sh');
    writeFileSync(settings, installed.replace('"x": 1e2', '"x": 1e3'));
    expect((await hooks('install', '--yes')).code).toBe(0);
    expect((await hooks('uninstall', '--yes')).code).toBe(0);
    expect(readFileSync(settings, 'utf8')).toBe(theirs.replace('1e2', '1e3'));
  });

  test.each([
    ['no object', '[1]', 1],
    ['hooks of another shape', '{"a": 1,\n"hooks": []}', 2],
    ['an event of another shape', '{"hooks": {\n"PostToolUse": {"a": 1}}}', 2],
    ['a key twice', '{"hooks": {},\n"hooks": {}}', 2],
  ])('in a form that is none: %s is refused', async (_, text, line) => {
    const { hooks, settings } = world(text);
    const { code, stderr } = await hooks('install', '--yes');
    expect(code).toBe(1);
    expect(stderr).toContain(`.claude/settings.json, line ${line}: `);
    expect(readFileSync(settings, 'utf8')).toBe(text);
  });
});

test('I7 the stored commands work in a path with spaces, and never fail', async () => {
  const { hooks, settings, repository, env } = world(null, 'a "b" $c');
  expect((await hooks('install', '--yes')).code).toBe(0);
  const script = join(repository.dir, '.claude', 'hooks', 'baton-activation.cjs');
  expect(existsSync(script)).toBe(true);
  writeFileSync(script, "require('fs').writeFileSync('started', process.argv[2])");
  for (const command of commandsIn(settings)) {
    const run = (project: string) =>
      spawnSync('/bin/sh', ['-c', command], {
        cwd: repository.dir,
        env: { ...env, CLAUDE_PROJECT_DIR: project },
        encoding: 'utf8',
      });
    expect(run(repository.dir).status).toBe(0);
    expect(readFileSync(join(repository.dir, 'started'), 'utf8')).toBe(/baton-hook:\S+/.exec(command)?.[0]);
    expect(run('/nowhere')).toMatchObject({ status: 0, stdout: '' });
  }
});
