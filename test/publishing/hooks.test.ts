import { spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { HookPlan } from '../../src/publishing/hooks/hook-plan.ts';
import { planInstall } from '../../src/publishing/hooks/install-hooks.ts';
import { planUninstall } from '../../src/publishing/hooks/uninstall-hooks.ts';
import { RootFolder } from '../../src/publishing/root-folder.ts';
import { hookTemplate } from '../../src/skills/hook-template.ts';
import { findTarget, TARGET_IDS, type TargetId } from '../../src/targets/target.ts';
import { ensureBuilt } from '../support/build.ts';
import { makeRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';

// The script that is installed is the built one.
beforeAll(ensureBuilt);

const TEXT = '{ "description" : "d" }\n';

interface Project {
  dir: string;
  settings: string;
  script: string;
  install: () => HookPlan;
  uninstall: () => HookPlan;
}

function project(id: TargetId, text: string | null = TEXT): Project {
  const { dir } = makeRepository();
  const state = temporaryFolder();
  const target = findTarget(id);
  const settings = join(dir, target.settings);
  mkdirSync(dirname(settings));
  if (text !== null) writeFileSync(settings, text);
  const root = RootFolder.open(dir);
  onTestFinished(() => root.close());
  return {
    dir,
    settings,
    script: join(dir, target.hooks, 'baton-activation.cjs'),
    install: () => planInstall(root, target, state),
    uninstall: () => planUninstall(root, target, state),
  };
}

describe.each(TARGET_IDS)('%s: what stopped half-way', (id) => {
  test('an install before the settings were written: the script is there, and the next one goes on from what is there', () => {
    const { install, uninstall, settings, script } = project(id);
    const plan = install();
    const theirs = TEXT.replace('"d"', '"e"');
    writeFileSync(settings, theirs);
    expect(plan.carryOut).toThrow('was changed by somebody else meanwhile');
    expect(readFileSync(settings, 'utf8')).toBe(theirs);
    expect(existsSync(script)).toBe(true);
    install().carryOut();
    expect(install().changes.map(({ action }) => action)).toEqual(['none', 'none']);
    uninstall().carryOut();
    expect(readFileSync(settings, 'utf8')).toBe(theirs);
    expect(existsSync(script)).toBe(false);
  });

  test('an uninstall before the script was removed: the next one removes it', () => {
    const { install, uninstall, settings, script } = project(id);
    install().carryOut();
    const bytes = readFileSync(script);
    uninstall().carryOut();
    mkdirSync(dirname(script), { recursive: true });
    writeFileSync(script, bytes);
    uninstall().carryOut();
    expect(existsSync(script)).toBe(false);
    expect(readFileSync(settings, 'utf8')).toBe(TEXT);
  });

  test('a script that is gone or of another version is mended by the next install', () => {
    const { install, script } = project(id);
    install().carryOut();
    const bytes = readFileSync(script);
    writeFileSync(script, 'old');
    expect(install().changes.map(({ action }) => action)).toEqual(['update', 'none']);
    install().carryOut();
    expect(readFileSync(script)).toEqual(bytes);
  });

  test('what a kill left beside the files is swept by the next install, what is being written is not', () => {
    const { install, settings } = project(id);
    const beside = (digit: string) =>
      join(dirname(settings), `.${basename(settings)}.${digit.repeat(12)}.tmp`);
    for (const digit of ['a', 'b']) writeFileSync(beside(digit), '');
    utimesSync(beside('a'), 1, 1);
    install().carryOut();
    expect(readdirSync(dirname(settings)).filter((name) => name.endsWith('.tmp'))).toEqual([
      basename(beside('b')),
    ]);
  });

  test('a project that was moved: ours are cut out, though the original is not found', () => {
    const { install, settings, dir } = project(id);
    install().carryOut();
    const root = RootFolder.open(dir);
    onTestFinished(() => root.close());
    planUninstall(root, findTarget(id), temporaryFolder()).carryOut();
    expect(readFileSync(settings, 'utf8')).toBe(TEXT);
  });
});

test.skipIf(process.getuid?.() !== 0)('root takes no file from its owner', () => {
  const { install, settings } = project('claude');
  chownSync(settings, 12_345, 12_345);
  install().carryOut();
  expect(statSync(settings)).toMatchObject({ uid: 12_345, gid: 12_345 });
});

test('the first original is kept outside the project, byte for byte', () => {
  const state = temporaryFolder();
  const { dir } = makeRepository({ files: { '.claude/settings.json': TEXT } });
  const root = RootFolder.open(dir);
  onTestFinished(() => root.close());
  planInstall(root, findTarget('claude'), state).carryOut();
  const kept = spawnSync('find', [state, '-name', 'claude.original'], { encoding: 'utf8' }).stdout.trim();
  expect(readFileSync(kept, 'utf8')).toBe(TEXT);
});

test('a state folder that cannot be written: the settings are not touched', () => {
  const { dir } = makeRepository({ files: { '.claude/settings.json': TEXT } });
  const root = RootFolder.open(dir);
  onTestFinished(() => root.close());
  const file = join(temporaryFolder(), 'a-file');
  writeFileSync(file, '');
  expect(planInstall(root, findTarget('claude'), file).carryOut).toThrow('cannot be kept');
  expect(readFileSync(join(dir, '.claude/settings.json'), 'utf8')).toBe(TEXT);
});

test('codex’s commands find the script in a path with spaces, from below the top, and never fail', () => {
  const { dir } = makeRepository({ dir: join(temporaryFolder(), 'a "b" $c') });
  const commands = Object.values(hookTemplate(findTarget('codex')).hooks).flatMap((groups) =>
    groups.flatMap((group) => group.hooks.map(({ command }) => command)),
  );
  expect(commands).toHaveLength(2);
  const below = join(dir, 'below');
  mkdirSync(below);
  for (const command of commands) {
    const run = (cwd: string) => spawnSync('/bin/sh', ['-c', command], { cwd, encoding: 'utf8' });
    expect(run(below)).toMatchObject({ status: 0, stdout: '' });
    const script = join(dir, '.codex/hooks/baton-activation.cjs');
    mkdirSync(dirname(script), { recursive: true });
    writeFileSync(script, 'console.log(process.argv[2])');
    expect(run(below)).toMatchObject({ status: 0, stdout: `${/baton-hook:\S+/.exec(command)?.[0]}\n` });
    expect(run(temporaryFolder())).toMatchObject({ status: 0, stdout: '' });
    writeFileSync(script, 'process.exit(2)');
    expect(run(dir).status).toBe(0);
  }
});
