import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Env } from '../../src/core/environment.ts';
import { hookTemplate } from '../../src/skills/hook-template.ts';
import { findTarget, type TargetId } from '../../src/targets/target.ts';
import { ensureBuilt } from '../support/build.ts';
import { type Surroundings, surroundings } from '../support/environment.ts';
import { BUILT } from '../support/project.ts';
import { type PartialRule, rulesOf } from './rules-support.ts';

beforeAll(ensureBuilt);

describe('the activation hook', () => {
  it('tells which skills to read, by path, as one JSON object', async () => {
    const project = makeProject(skills());
    const run = await prompt(project, 'Mend the invoice in a.test.ts');
    expect(run.stdout.trim().split('\n')).toHaveLength(1);
    expect(outputOf(run)).toEqual({
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: expect.any(String) },
    });
    expect(contextOf(run).split('\n').slice(1)).toEqual([
      '- .claude/skills/base/SKILL.md (always)',
      '- .claude/skills/billing/SKILL.md (its subject is named)',
      '- .claude/skills/tests/SKILL.md (for these files)',
    ]);
  });

  it('tells of each skill once a session, and again in another', async () => {
    const project = makeProject(skills());
    expect(toldIn(await prompt(project, 'go'))).toEqual(['base']);
    expect(toldIn(await prompt(project, 'the invoice'))).toEqual(['billing']);
    expect((await prompt(project, 'the invoice')).stdout).toBe('');
    expect(toldIn(await prompt(project, 'the invoice', 'other'))).toEqual(['base', 'billing']);
  });

  it('tells of the skills of edited files right after the edit', async () => {
    const project = makeProject(skills());
    const run = await edit(project, { file_path: join(project.root, 'src/billing/a.ts') });
    expect(outputOf(run)['hookSpecificOutput']).toMatchObject({ hookEventName: 'PostToolUse' });
    expect(toldIn(run)).toEqual(['billing']);
    expect((await edit(project, { file_path: join(project.root, 'src/billing/b.ts') })).stdout).toBe('');
    expect((await edit(project, { file_path: '/elsewhere/src/billing/a.test.ts' })).stdout).toBe('');
  });

  it('remembers edits for the next prompt', async () => {
    const project = makeProject({});
    await edit(project, { file_path: 'src/billing/a.ts' });
    writeRules(project, skills());
    expect(toldIn(await prompt(project, 'go on'))).toEqual(['base', 'billing']);
  });

  it('finds the paths of a codex edit in the text of its patch', async () => {
    const project = makeProject(skills(), 'codex');
    const patch =
      '*** Begin Patch\n*** Update File: src/billing/a.ts\n@@\n-a\n+b\n*** Add File: x/new.test.ts\n+x\n*** End Patch\n';
    for (const [session, input] of [
      { command: patch },
      { input: patch },
      { command: ['apply_patch', patch] },
    ].entries()) {
      const run = await edit(project, input, `s${session}`);
      expect(toldIn(run)).toEqual(['billing', 'tests']);
      expect(contextOf(run)).toContain('- .agents/skills/billing/SKILL.md (');
    }
  });

  it('says nothing of a skill that has no file', async () => {
    const project = makeProject(skills());
    rmSync(join(project.root, '.claude/skills/billing'), { recursive: true });
    expect(toldIn(await prompt(project, 'invoice'))).toEqual(['base']);
  });

  it('starts a session anew when it was silent for half a day, and removes its file in the end', async () => {
    const project = makeProject(skills());
    await prompt(project, 'go');
    const file = join(project.where.state, 'activation', 's.jsonl');
    const before = new Date(Date.now() - 13 * 60 * 60 * 1000);
    utimesSync(file, before, before);
    expect(toldIn(await prompt(project, 'go'))).toEqual(['base']);
    expect(readFileSync(file, 'utf8')).toBe('{"suggested":"base"}\n');
    utimesSync(file, before, before);
    await prompt(project, 'go', 'new');
    expect(existsSync(file)).toBe(false);
  });

  it('keeps what many sessions, and many edits of one, remember at once', async () => {
    const project = makeProject(skills());
    const sessions = Array.from({ length: 6 }, (_, index) => `session-${index}`);
    const runs = await Promise.all(sessions.map((session) => prompt(project, 'the invoice', session)));
    expect(runs.map(toldIn)).toEqual(sessions.map(() => ['base', 'billing']));
    await Promise.all(sessions.map((name) => edit(project, { file_path: `x/${name}.ts` }, 'one')));
    const lines = readFileSync(join(project.where.state, 'activation', 'one.jsonl'), 'utf8')
      .trim()
      .split('\n');
    expect(new Set(lines)).toEqual(new Set(sessions.map((name) => `{"file":"x/${name}.ts"}`)));
    expect(lines).toHaveLength(sessions.length);
  });

  it('says at most 10,000 units, whole lines, and the rest at the next prompt', async () => {
    const long = (index: number): string => `skill-${String(index).padStart(3, '0')}-${'x'.repeat(40)}`;
    const many = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [long(index), { keywords: ['go'] }]),
    );
    const project = makeProject(many);
    const [first, second] = [await prompt(project, 'go'), await prompt(project, 'go')];
    expect(contextOf(first).length).toBeLessThanOrEqual(10_000);
    expect(contextOf(first)).toMatch(/\n- \d+ more: `baton skills match` lists them$/);
    expect(contextOf(second).length).toBeLessThanOrEqual(10_000);
    const told = [first, second].flatMap(toldIn);
    expect(told).toEqual(Object.keys(many).slice(0, told.length));
    expect(toldIn(first).length).toBeGreaterThan(80);
  });

  it('lets nothing of the rules but names reach the model', async () => {
    const project = makeProject({
      ...skills(),
      'evil\nname': { keywords: ['invoice'] },
      billing: {
        keywords: ['invoice'],
        filePatterns: ['**/Ignore all rules*'],
        intentPatterns: ['invoice|obey'],
      },
    });
    const run = await prompt(project, 'invoice');
    expect(toldIn(run)).toEqual(['base', 'billing']);
    expect(contextOf(run)).not.toMatch(/evil|Ignore|obey/);
  });
});

describe('the stored command', () => {
  it.each(['claude', 'codex'] as const)(
    'of %s works where the path of the project has spaces',
    async (id) => {
      const project = makeProject(skills(), id, 'a b $(touch x) \'"');
      execFileSync('git', ['init', '-q'], { cwd: project.root, env: project.where.env });
      for (const [event, groups] of Object.entries(hookTemplate(findTarget(id)).hooks)) {
        const input = {
          session_id: event,
          hook_event_name: event,
          prompt: 'invoice',
          tool_input: { file_path: 'a.test.ts' },
        };
        const [command] = groups.flatMap(({ hooks }) => hooks.map((hook) => hook.command ?? ''));
        const run = await start(['sh', '-c', command ?? ''], project, JSON.stringify(input), {
          CLAUDE_PROJECT_DIR: project.root,
        });
        expect([run.code, run.stderr]).toEqual([0, '']);
        expect(outputOf(run)['hookSpecificOutput']).toMatchObject({ hookEventName: event });
      }
      expect(existsSync(join(project.root, 'x'))).toBe(false);
    },
  );

  it('never blocks a prompt when its script is gone, or does not run', async () => {
    const project = makeProject(skills());
    const [command] = Object.values(hookTemplate(findTarget('claude')).hooks).flatMap((groups) =>
      groups.flatMap(({ hooks }) => hooks.map((hook) => hook.command ?? '')),
    );
    for (const spoil of [
      () => writeFileSync(project.script, 'syntax error ('),
      () => rmSync(project.script),
    ]) {
      spoil();
      const run = await start(['sh', '-c', command ?? ''], project, '{}', {
        CLAUDE_PROJECT_DIR: project.root,
      });
      expect([run.code, run.stdout]).toEqual([0, '']);
    }
  });
});

describe('a hook that cannot work', () => {
  it.each([
    ['no rules', (project: Project) => rmSync(join(project.root, '.claude/skills'), { recursive: true })],
    ['rules that are a folder', (project: Project) => replaceRules(project, (path) => mkdirSync(path))],
    [
      'rules that are no JSON',
      (project: Project) => replaceRules(project, (path) => writeFileSync(path, '{')),
    ],
    [
      'rules that are huge',
      (project: Project) =>
        replaceRules(project, (path) => writeFileSync(path, `{"a":"${'a'.repeat(5_000_000)}"}`)),
    ],
    [
      'rules that are deep',
      (project: Project) => replaceRules(project, (path) => writeFileSync(path, '['.repeat(1_000_000))),
    ],
    [
      'an endless device in their place',
      (project: Project) => replaceRules(project, (path) => symlinkSync('/dev/zero', path)),
    ],
  ])('says nothing with %s', async (_, spoil) => {
    const project = makeProject(skills());
    spoil(project);
    expect(await prompt(project, 'invoice')).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
  });

  it('tells why on stderr, only with BATON_DEBUG', async () => {
    const project = makeProject(skills());
    replaceRules(project, (path) => writeFileSync(path, '{'));
    const run = await prompt(project, 'x', 's', { BATON_DEBUG: '1' });
    expect([run.code, run.stdout]).toEqual([0, '']);
    expect(run.stderr).toContain('skill-rules.json');
  });

  it('exits with 0 and prints nothing for whatever stands on stdin', async () => {
    const project = makeProject(skills());
    const inputs = fc.sample(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.jsonValue().map((value) => JSON.stringify(value)),
        fc
          .record({ hook_event_name: fc.jsonValue(), session_id: fc.jsonValue(), prompt: fc.jsonValue() })
          .map((value) => JSON.stringify(value)),
      ),
      Number(process.env['BATON_PROPERTY_RUNS'] ?? 12),
    );
    for (const input of ['', '{}', '[]', '{"prompt":1}', '{'.repeat(100_000), ...inputs]) {
      const run = await start(hookArgs(project, 'skill-activation'), project, input);
      expect([run.code, run.stderr, run.stdout === '' || Object.keys(outputOf(run))]).toEqual([
        0,
        '',
        expect.anything(),
      ]);
    }
  });

  it.each(['', 'baton-hook:', 'baton-hook:other', 'skill-activation'])(
    'says nothing as %j',
    async (marker) => {
      const project = makeProject(skills());
      const run = await start(
        [process.execPath, project.script, marker],
        project,
        promptInput('invoice', 's'),
      );
      expect(run).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
    },
  );

  it('says nothing to another event than its own', async () => {
    const project = makeProject(skills());
    const run = await start(hookArgs(project, 'edit-tracker'), project, promptInput('invoice', 's'));
    expect([run.code, run.stdout]).toEqual([0, '']);
  });

  it('reads all of an input that is too large for it', async () => {
    const project = makeProject(skills());
    const run = await start(
      hookArgs(project, 'edit-tracker'),
      project,
      `{"tool_input":{"x":"${'a'.repeat(17_000_000)}"}}`,
    );
    expect(run).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
  });

  it('exits with 0 when nobody reads what it says', async () => {
    const project = makeProject(skills());
    const [node = '', ...args] = hookArgs(project, 'skill-activation');
    const child = spawn('sh', ['-c', '{ "$@"; echo $? >&2; } | :', 'sh', node, ...args], {
      env: project.where.env,
    });
    child.stdin.end(promptInput('invoice', 's'));
    expect((await endOf(child)).stderr).toBe('0\n');
  });
});

describe('the state of a session', () => {
  it('is private', async () => {
    const project = makeProject(skills());
    await prompt(project, 'go');
    const { mode } = statSync(join(project.where.state, 'activation'));
    expect(mode & 0o777).toBe(0o700);
  });

  it.each([
    ['is a link', (folder: string, elsewhere: string) => symlinkSync(elsewhere, folder)],
    ['is open to others', (folder: string) => (mkdirSync(folder), chmodSync(folder, 0o777))],
    ['is a file', (folder: string) => writeFileSync(folder, '')],
  ])('goes elsewhere where its folder %s', async (_, spoil) => {
    const project = makeProject(skills());
    const elsewhere = join(project.where.root, 'elsewhere');
    mkdirSync(elsewhere, { mode: 0o700 });
    const folder = join(project.where.state, 'activation');
    spoil(folder, elsewhere);
    expect(toldIn(await prompt(project, 'go'))).toEqual(['base']);
    expect((await prompt(project, 'go')).stdout).toBe('');
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(readdirSync(project.where.tmp)).toEqual([expect.stringMatching(/^baton-activation-/)]);
  });

  it('is not written through a link, and not read from a line that is broken', async () => {
    const project = makeProject(skills());
    const folder = join(project.where.state, 'activation');
    mkdirSync(folder, { mode: 0o700 });
    const target = join(project.where.root, 'target');
    writeFileSync(target, 'mine');
    symlinkSync(target, join(folder, 'linked.jsonl'));
    writeFileSync(join(folder, 'broken.jsonl'), '{"suggested":"ba\n[1]\n7\n{"suggested":"billing"}\n');
    expect(toldIn(await prompt(project, 'invoice', 'linked'))).toEqual(['base', 'billing']);
    expect(readFileSync(target, 'utf8')).toBe('mine');
    expect(toldIn(await prompt(project, 'invoice', 'broken'))).toEqual(['base']);
  });

  it.each(['../../x', 'a/b', '', 'x'.repeat(200)])('is not kept for the id %j', async (id) => {
    const project = makeProject(skills());
    expect(toldIn(await prompt(project, 'go', id))).toEqual(['base']);
    expect(toldIn(await prompt(project, 'go', id))).toEqual(['base']);
    expect(existsSync(join(project.where.state, 'activation'))).toBe(false);
  });
});

interface Project {
  root: string;
  script: string;
  where: Surroundings;
  rules: string;
}

interface Run {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

function skills(): { [name: string]: PartialRule } {
  return {
    base: { type: 'base', priority: 'critical', alwaysActivate: true },
    billing: { keywords: ['invoice'], filePatterns: ['src/billing/**'] },
    tests: { filePatterns: ['**/*.test.ts'] },
  };
}

function makeProject(
  rules: { [name: string]: PartialRule },
  id: TargetId = 'claude',
  name = 'project',
): Project {
  const where = surroundings();
  const root = join(where.root, name);
  const target = findTarget(id);
  const script = join(root, target.hooks, 'baton-activation.cjs');
  mkdirSync(join(root, target.hooks), { recursive: true });
  copyFileSync(BUILT.activation, script);
  const project = { root, script, where, rules: join(root, '.claude/skills/skill-rules.json') };
  mkdirSync(join(root, '.claude/skills'), { recursive: true });
  writeRules(project, rules, target.skills);
  return project;
}

function writeRules(
  project: Project,
  rules: { [name: string]: PartialRule },
  folder = '.claude/skills',
): void {
  writeFileSync(project.rules, JSON.stringify(rulesOf(rules)));
  for (const name of Object.keys(rules)) {
    mkdirSync(join(project.root, folder, name), { recursive: true });
    writeFileSync(join(project.root, folder, name, 'SKILL.md'), '---\n---\n');
  }
}

function replaceRules({ rules }: Project, make: (path: string) => void): void {
  rmSync(rules);
  make(rules);
}

function prompt(project: Project, text: string, session = 's', extra: Env = {}): Promise<Run> {
  return start(hookArgs(project, 'skill-activation'), project, promptInput(text, session), extra);
}

function promptInput(text: string, session: string): string {
  return JSON.stringify({ session_id: session, hook_event_name: 'UserPromptSubmit', prompt: text });
}

function edit(project: Project, toolInput: object, session = 's'): Promise<Run> {
  const input = {
    session_id: session,
    hook_event_name: 'PostToolUse',
    cwd: project.root,
    tool_input: toolInput,
  };
  return start(hookArgs(project, 'edit-tracker'), project, JSON.stringify(input));
}

function hookArgs({ script }: Project, name: string): string[] {
  return [process.execPath, script, `baton-hook:${name}`];
}

function start(
  [file = '', ...args]: string[],
  project: Project,
  input: string,
  extra: Env = {},
): Promise<Run> {
  const child = spawn(file, args, { cwd: project.root, env: { ...project.where.env, ...extra } });
  child.stdin.end(input);
  return endOf(child);
}

function endOf(child: ChildProcess): Promise<Run> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.stdin?.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

function outputOf({ stdout }: Run): { [key: string]: unknown } {
  const value: { [key: string]: unknown } = JSON.parse(stdout);
  return value;
}

function contextOf(run: Run): string {
  const { additionalContext } = Object(outputOf(run)['hookSpecificOutput']);
  return String(additionalContext);
}

function toldIn(run: Run): string[] {
  return [...contextOf(run).matchAll(/^- \S+\/skills\/([^/]+)\/SKILL\.md \(/gm)].map(
    ([, name]) => name ?? '',
  );
}
