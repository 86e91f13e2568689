import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { approveProject, writeGlobal, writeProject } from '../lanes/fleets.ts';
import { dispatch, resultOf, runBaton } from '../support/baton.ts';
import { ensureBuilt } from '../support/build.ts';
import type { Surroundings } from '../support/environment.ts';
import { fakeSaying } from '../support/fake.ts';
import { init, success } from '../support/records.ts';
import { makeRepository } from '../support/repository.ts';
import { loadedWith, sourceFiles } from '../support/source.ts';
import { KEYS, onTerminal } from '../support/terminal.ts';
import { LANES, pressTab, world } from './completing.ts';

beforeAll(ensureBuilt);

/** What a stranger's files may be called, or hold. */
const HOSTILE = [
  '$(touch pwned)',
  '`touch pwned`',
  "';touch pwned;'",
  'a b',
  '-x',
  '\u001b[31mred',
  '{a,b}',
  '*',
];

describe('what is offered', () => {
  it('is every command, and what is below it', async () => {
    const { offered } = world();
    expect(await offered('')).toEqual(expect.arrayContaining(['dispatch', 'lanes', 'completion', 'help']));
    expect(await offered('la')).toEqual(['lanes', 'land']);
    expect(await offered('help', 'la')).toEqual(['lanes', 'land']);
    expect(await offered('lanes', '')).toEqual(
      expect.arrayContaining(['init', 'list', 'resolve', 'set', 'unset', 'approve', 'validate']),
    );
    expect(await offered('lanes', 'help', 'se')).toEqual(['set']);
    expect(await offered('completion', '')).not.toContain('suggest');
    expect(await offered('nothing', '')).toEqual([]);
  });

  it('is, after `help`, what has a help of its own', async () => {
    const { where, offered } = world();
    expect(await offered('help', 'lanes', 'se')).toEqual(['set']);
    const [asked, flag] = await Promise.all([
      runBaton(['help', 'lanes', 'set'], where),
      runBaton(['lanes', 'set', '--help'], where),
    ]);
    expect(asked).toEqual(flag);
    expect(asked.stdout).toContain('Usage: baton lanes set ');
    for (const args of [['help', 'lane'], ['lane', '--help'], ['lane']]) {
      const { code, stdout, stderr } = await runBaton(args, where);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^baton: unknown command 'lane' \(Did you mean .*\)\n$/);
    }
  });

  it('is each flag once, but those that may be repeated', async () => {
    const { offered } = world();
    expect(await offered('dispatch', '--read')).toEqual(['--read-only']);
    expect(await offered('dispatch', '--read-only', '--read')).toEqual([]);
    expect(await offered('dispatch', '--touch', 'src/**', '--tou')).toEqual(['--touch']);
    expect(await offered('lanes', 'set', 'x', '--')).toEqual(
      expect.arrayContaining(['--implementer', '--no-read-only', '--help']),
    );
    expect(await offered('gates', 'detect', '')).toEqual(['--cd', '--write', '--json', '--help']);
    expect(await offered('--ver')).toEqual(['--version']);
  });

  it('is the values that a flag takes', async () => {
    const { offered } = world();
    expect(await offered('dispatch', '--implementer', '')).toEqual(['claude', 'codex', 'scripted']);
    expect(await offered('dispatch', '--implementer=c')).toEqual(['claude', 'codex']);
    expect(await offered('lanes', 'set', 'x', '--implementer', 'op')).toEqual(['opencode']);
    expect(await offered('dispatch', '--sandbox', 'w')).toEqual(['workspace-write']);
    expect(await offered('dispatch', '--effort', 'x')).toEqual(['xhigh']);
    expect(await offered('dispatch', '--implementer', 'codex', '--effort', '')).toEqual([]);
    expect(await offered('hooks', 'install', '--target', '')).toEqual(['claude', 'codex', 'all']);
    expect(await offered('brief', 'new', '--kind', 'd')).toEqual(['debugging', 'delta']);
    expect(await offered('dispatch', '--autocompact', '')).toEqual(['auto']);
    expect(await offered('prompts', 'render', 'com')).toEqual(['commit-message']);
    expect(await offered('ask', '--prompt', 're')).toEqual(['review']);
    expect(await offered('lanes', 'unset', 'x', 'read')).toEqual(['readOnly']);
    expect(await offered('land', '-m', '')).toEqual([]);
  });

  it('leaves files and folders to the shell', async () => {
    const { suggest } = world();
    const kinds = [
      ['dispatch', '--brief', ''],
      ['dispatch', '--cd', ''],
      ['land', '--only', ''],
      ['lanes', 'validate', ''],
    ].map(async (words) => (await suggest('fish', ...words)).stdout);
    expect(await Promise.all(kinds)).toEqual(['files\n', 'folders\n', 'files\n', 'files\n']);
  });

  it('is the lanes of this place, or of the one that --cd names', async () => {
    const { where, dir, offered, suggest } = world();
    writeGlobal(where, { fast: { implementer: 'claude', effort: 'low' }, odd: { implementer: 'nobody' } });
    writeProject(dir, { hard: { implementer: 'codex' } });
    expect(await offered('dispatch', '--lane', '')).toEqual(['fast']);
    await approveProject(dir);
    expect(await offered('dispatch', '--lane', '')).toEqual(['fast', 'hard']);
    expect(await offered('dispatch', '--implementer', 'codex', '--lane', '')).toEqual(['hard']);
    expect(await offered('lanes', 'unset', '')).toEqual(['fast', 'odd', 'hard']);
    const other = makeRepository();
    writeProject(other.dir, { far: { implementer: 'claude' } });
    await approveProject(other.dir);
    expect(await offered('dispatch', '--cd', other.dir, '--lane', '')).toEqual(['fast', 'far']);
    expect(await offered('dispatch', `--cd=${other.dir}`, '--lane', 'fa')).toEqual(['fast', 'far']);
    const { stdout } = await suggest('bash', 'dispatch', '--cd', `"${other.dir}"`, '--lane', 'fast');
    expect(stdout).toBe('words\nfast\tclaude, effort low\n');
  });

  it('is the runs of this place, the newest first, and its gates', async () => {
    const { where, dir, offered, suggest } = world();
    const ids: string[] = [];
    fakeSaying(where, [init(), success('done')]);
    for (const _ of [1, 2]) ids.unshift(resultOf(await dispatch(where, { cd: dir })).runId);
    writeFileSync(
      join(dir, 'baton.config.json'),
      JSON.stringify({
        gates: [
          { name: 'lint', command: 'npm \u001b[31mrun\tlint' },
          { name: 'unit', command: 'npm test' },
        ],
      }),
    );
    expect(await offered('check', '')).toEqual(ids);
    expect(await offered('gates', 'list', '--run', '')).toEqual(ids);
    expect((await suggest('fish', 'show', ids[0] ?? '')).stdout).toBe(
      `words\n${ids[0]}\tcompleted, claude\n`,
    );
    expect((await suggest('fish', 'check', '--gate', 'l')).stdout).toBe('open\nlint=\tnpm run lint\n');
  });

  it('is nothing where something is wrong, and never an error', async () => {
    const { where, dir, offered } = world();
    expect(await offered('check', '--cd', '/not/there', '')).toEqual([]);
    writeFileSync(join(dir, 'baton.config.json'), '{');
    expect(await offered('check', '--gate', '')).toEqual([]);
    writeGlobal(where, '{');
    expect(await offered('dispatch', '--lane', '')).toEqual([]);
    expect(await offered()).toContain('dispatch');
    for (const word of HOSTILE) expect(await offered(word, word)).toEqual([]);
  });

  it('costs the command that is asked for, and no other', () => {
    const { packages, files } = loadedWith('src/commands/completion.ts', sourceFiles('src'));
    expect([...packages].filter((name) => !name.startsWith('node:'))).toEqual([
      '@commander-js/extra-typings',
    ]);
    expect([...files].filter((file) => !/^src\/(?:core|commands)\//.test(file))).toEqual([
      'src/verbs/known-names.ts',
    ]);
  });

  it('is no name that a shell could take for something else', async () => {
    const { where, offered } = world();
    const lanes = HOSTILE.map((name) => [name, { implementer: 'claude' }] as const);
    writeGlobal(
      where,
      Object.fromEntries([...lanes, ['good', { implementer: 'claude', model: 'x\u001b[2J' }]]),
    );
    expect(await offered('lanes', 'unset', '')).toEqual(['good']);
  });
});

describe('bash', () => {
  /** What the function completes, called as bash calls it. */
  function completed(where: Surroundings, dir: string, line: string, words: string[], more = ''): string[] {
    const script = [
      'eval "$(baton completion bash)"',
      'COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=("${@:2}") COMP_CWORD=$(($# - 2))',
      more,
      '_baton baton',
      'printf "%s\\n" "${COMPREPLY[@]}"',
    ].join('\n');
    const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', script, 'bash', line, ...words], {
      cwd: dir,
      env: where.env,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
    return stdout.split('\n').filter((word) => word !== '');
  }

  it('completes words as it cuts them', () => {
    const { where, dir } = world();
    writeGlobal(where, LANES);
    expect(completed(where, dir, 'baton la', ['baton', 'la'])).toEqual(['lanes', 'land']);
    expect(completed(where, dir, 'baton lanes se', ['baton', 'lanes', 'se'])).toEqual(['set']);
    expect(completed(where, dir, 'baton dispatch --lane ', ['baton', 'dispatch', '--lane', ''])).toEqual([
      'mechanical',
      'hard-one',
    ]);
    const cut = ['baton', 'dispatch', '--lane', '=', 'h'];
    expect(completed(where, dir, 'baton dispatch --lane=h', cut)).toEqual(['hard-one']);
    expect(completed(where, dir, 'baton dispatch --lane=', cut.slice(0, -1))).toEqual([
      'mechanical',
      'hard-one',
    ]);
    const whole = ['baton', 'dispatch', '--lane=h'];
    const noBreak = 'COMP_WORDBREAKS=" "';
    expect(completed(where, dir, 'baton dispatch --lane=h', whole, noBreak)).toEqual(['--lane=hard-one']);
  });

  it('runs nothing of what was typed, and not the baton of the folder', () => {
    const { where, dir } = world();
    const trap = join(where.root, 'pwned');
    writeFileSync(join(dir, 'baton'), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 });
    for (const word of [`$(touch ${trap})`, `\`touch ${trap}\``, `;touch ${trap};`, `"$(touch ${trap})`])
      completed(where, dir, `./baton dispatch --lane ${word}`, ['./baton', 'dispatch', '--lane', word]);
    expect(existsSync(trap)).toBe(false);
  });

  it('completes at a key', async () => {
    const { where, dir } = world();
    writeGlobal(where, LANES);
    mkdirSync(join(dir, 'a folder'));
    writeFileSync(join(dir, 'a-brief.md'), '');
    const shell = onTerminal(['bash', '--norc', '-i'], { cwd: dir, env: { ...where.env, PS1: '> ' } });
    await shell.showing('> ');
    shell.type(`eval "$(baton completion bash)"; echo rea""dy${KEYS.enter}`);
    await shell.showing('ready');
    await pressTab(shell, 'baton dispatch --lane mec', 'mechanical ');
    await pressTab(shell, 'baton dispatch --lane=har', 'hard-one ');
    await pressTab(shell, 'baton dispatch --brief a-b', 'a-brief.md ');
    await pressTab(shell, 'baton dispatch --cd a', 'a\\ folder/');
    shell.type(`exit 0${KEYS.enter}`);
    expect(await shell.ended).toBe(0);
  });
});
