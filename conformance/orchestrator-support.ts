import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { runCommand } from '../src/core/command.ts';
import type { Env } from '../src/core/environment.ts';
import { checkModelScript } from '../src/scripted-model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../src/scripted-model/server.ts';
import { runBaton } from '../test/support/baton.ts';
import { quote } from '../test/support/fake.ts';
import { processesUnder, waitUntilGone } from '../test/support/processes.ts';
import { PROJECT } from '../test/support/project.ts';
import { claudeEnvironment, codexEnvironment, type RealWorld, realWorld } from './support.ts';

type Cli = 'claude' | 'codex';

/** Longer than anything here takes on a machine that is busy with other things. */
export const LONG_MS = 600_000;

/** What the implementer does of the brief: one edit, which a test of the project's asks for. */
const WORK = [
  { edit: { path: 'one.txt', old: 'one', new: 'two' } },
  { say: 'one.txt says two now. Nothing was committed.' },
];

const BRIEF = `<task>
Make \`one.txt\` say two instead of one.
</task>

<repo_constraints>
Change \`one.txt\` only.
</repo_constraints>

<verification_loop>
Run \`grep -q two one.txt\`.
</verification_loop>

<action_safety>
Do not commit, stage, stash or push.
</action_safety>
`;

/**
 * A repository with baton's skill, installed and committed, in which one real CLI hands a task to another. Each talks to
 * a model of its own: `baton` on the orchestrator's PATH turns to the implementer's.
 */
interface OrchestratedWorld extends RealWorld {
  implementer: Cli;
  /** The implementer's model. */
  worker: ScriptedModel;
  /** The commit that the orchestrator begins with. */
  start: string;
  /** Files of the orchestrator's own, outside the repository. */
  desk: string;
}

export async function orchestratedWorld(orchestrator: Cli, implementer: Cli): Promise<OrchestratedWorld> {
  const world = realWorld();
  const { dir } = world.repository;
  const worker = await modelFor(dir, WORK);
  const desk = join(world.root, 'desk');
  mkdirSync(desk);
  writeFileSync(join(desk, 'brief.md'), BRIEF);
  const settings = endpointOf(implementer, worker.url, join(world.root, 'implementer-codex'));
  const program = join(PROJECT, 'bin', 'baton.js');
  const exported = Object.entries(settings).map(([name, text]) => `export ${name}=${quote(text ?? '')}\n`);
  const script = `#!/bin/sh\n${exported.join('')}exec ${quote(process.execPath)} ${quote(program)} "$@"\n`;
  writeFileSync(join(world.bin, 'baton'), script, { mode: 0o755 });
  // Codex starts a login shell, and the system's profile sets PATH anew.
  writeFileSync(join(world.home, '.profile'), `export PATH=${quote(world.env['PATH'] ?? '')}\n`);
  const args = ['skill', 'install', '--target', orchestrator, '--project', '--yes'];
  const { code, stderr } = await runBaton(args, { env: world.env, cwd: dir });
  if (code !== 0) throw new Error(stderr);
  const start = world.repository.commit({ 'person.txt': 'before\n' }, 'Add the skill');
  // What the person is in the middle of must be in no commit.
  world.repository.write({ 'person.txt': 'their own edit\n' });
  return { ...world, implementer, worker, start, desk };
}

/**
 * Runs the orchestrator itself, as a person's script would, with a model that plays these steps, and returns all that
 * this model was sent, one text a turn. Throws with the end of it where the script was not played to its end.
 */
export async function orchestrate(
  world: OrchestratedWorld,
  { cli, args, steps }: { cli: Cli; args: readonly string[]; steps: readonly object[] },
): Promise<string[]> {
  const { dir } = world.repository;
  const model = await modelFor(dir, steps);
  const { code, stderr } = await runCommand({
    file: cli,
    args,
    cwd: dir,
    env: { ...world.env, ...endpointOf(cli, model.url, join(world.root, 'orchestrator-codex')) },
    timeoutMs: LONG_MS,
    input: Buffer.from('Delegate this: one.txt shall say two.\n'),
  });
  const turns = turnsOf(model);
  if (code !== 0 || model.stepsLeft() > 0)
    throw new Error(
      `${cli} ended with ${code}, ${model.stepsLeft()} steps early: ${stderr}\n${ending(turns)}`,
    );
  return turns;
}

/** The last of what a model was sent, for whoever looks at a test that failed. */
export function ending(turns: readonly string[]): string {
  return turns.at(-1)?.slice(-6000) ?? 'it was asked nothing';
}

async function modelFor(cwd: string, steps: readonly object[]): Promise<ScriptedModel> {
  const model = await startScriptedModel({ steps: checkModelScript(steps), cwd });
  onTestFinished(() => model.close());
  return model;
}

function endpointOf(cli: Cli, url: string, codexHome: string): Env {
  return cli === 'claude' ? claudeEnvironment(url) : codexEnvironment(codexHome, url);
}

function turnsOf({ requests }: ScriptedModel): string[] {
  return requests.filter(({ kind }) => kind === 'turn').map(({ body }) => texts(body).join('\n'));
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
}

/** Holds that the model was told of the skill, then of its text, and then read its pages and what baton showed. */
export function expectTaught(turns: readonly string[], implementer: Cli): void {
  const [first, second] = turns;
  expect(first).toContain(
    `- delegate: ${lineOf('SKILL.md', 'description: ').slice('description: "'.length, -1)}`,
  );
  expect(first).not.toContain('# Delegate a coding task');
  expect(second).toContain('# Delegate a coding task');
  const last = turns.at(-1);
  for (const [page, line] of [
    ['writing-the-brief', '# '],
    ['dispatch-and-poll', '- **Lost**'],
    ['review-and-land', 'Two reworks'],
  ] as const)
    expect(last).toContain(lineOf(`references/${page}.md`, line));
  expect(last).toContain(`completed  ${implementer}  exit 0`);
  expect(last).toContain('+two');
}

/** A page of the skill, as it is shipped: a line of it that no other text has. */
function lineOf(page: string, start: string): string {
  const lines = readFileSync(join(PROJECT, 'skills', 'delegate', page), 'utf8').split('\n');
  const line = lines.find((one) => one.startsWith(start));
  if (line === undefined) throw new Error(`${page} has no line that begins with ${start}`);
  return line;
}

/**
 * Holds what is there in the end: one commit, by `baton land`, of exactly what the implementer changed; what the person
 * had begun is as it was; the run is completed, with evidence; and nothing runs any more.
 */
export async function expectLanded(world: OrchestratedWorld): Promise<void> {
  const { repository, worker, start, desk, implementer } = world;
  expect(worker.stepsLeft()).toBe(0);
  expect(turnsOf(worker)[0]).toContain('Make `one.txt` say two instead of one.');
  expect(repository.git('rev-list', `${start}..HEAD`).split('\n')).toHaveLength(1);
  expect(repository.git('log', '-1', '--format=%P %s')).toBe(`${start} Say two instead of one`);
  expect(repository.git('show', 'HEAD:one.txt')).toBe('two');
  expect(repository.status()).toEqual([' M person.txt']);
  expect(repository.read('person.txt')).toBe('their own edit\n');

  const result = JSON.parse(readFileSync(join(desk, 'result.json'), 'utf8'));
  expect(result).toMatchObject({
    implementer,
    status: 'completed',
    exitCode: 0,
    agent: { claim: 'success' },
    process: { survivors: [] },
    evidence: { tree: 'changed', changes: [{ path: 'one.txt', kind: 'modified' }], violations: [] },
  });
  const landing = JSON.parse(readFileSync(join(runDirectory(result), 'landing.json'), 'utf8'));
  expect(landing).toMatchObject({ state: 'landed', commit: repository.head() });
  // The orchestrator's own CLI may take a moment to end what it has started for itself.
  expect(await waitUntilGone(() => processesUnder(world.root), 60_000)).toEqual([]);
}

function runDirectory({ eventsPath }: { eventsPath: string }): string {
  return join(eventsPath, '..');
}
