import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { locateRepository } from '../../src/git/locate.ts';
import { observe } from '../../src/evidence/observe.ts';
import { withBaseline } from '../../src/gates/baseline.ts';
import { GATES_SCHEMA, type GateResult, type GatesRecord } from '../../src/gates/gate.ts';
import {
  type GateStanding,
  gateStandingOf,
  readGates,
  standingOf,
  writeGates,
} from '../../src/gates/record.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';

const TREE = 'a'.repeat(40);
const OTHER = 'b'.repeat(40);

const result = (more: Partial<GateResult> = {}): GateResult => ({
  name: 'test',
  command: 'npm test',
  cwd: '.',
  source: 'config',
  state: 'passed',
  applies: true,
  reason: null,
  exitCode: 0,
  signal: null,
  timedOut: false,
  durationMs: 1,
  output: 'gate-output/after-01-test.txt',
  outputBytes: 0,
  tree: TREE,
  changedTree: [],
  left: [],
  survivors: [],
  withheld: [],
  since: null,
  ...more,
});

const record = (more: Partial<GatesRecord> = {}): GatesRecord => ({
  schema: GATES_SCHEMA,
  runId: 'R1',
  config: null,
  tree: TREE,
  treeIs: 'after',
  decidedBy: [],
  gates: [result()],
  baseline: null,
  gaps: [],
  startedAt: '2026-11-30T10:00:00.000Z',
  finishedAt: '2026-11-30T10:00:01.000Z',
  ...more,
});

const standing = (...gates: Partial<GateResult>[]): Pick<GateStanding, 'state' | 'tree'> => {
  const { state, tree } = standingOf({ gates: gates.map(result), decidedBy: [] });
  return { state, tree };
};

it('says the worst, and the tree only where all of it was seen on one', () => {
  const docs = { state: 'not-run', applies: false, tree: null } as const;
  expect(standing({}, {})).toEqual({ state: 'passed', tree: TREE });
  expect(standing({}, docs)).toEqual({ state: 'passed', tree: TREE });
  expect(standing({}, { tree: OTHER })).toEqual({ state: 'passed', tree: null });
  expect(standing({ state: 'not-run', tree: null }, { state: 'could-not-run' })).toEqual({
    state: 'could-not-run',
    tree: null,
  });
  expect(standing({ state: 'could-not-run' }, { state: 'failed' })).toEqual({ state: 'failed', tree: TREE });
  expect(standing({}, { state: 'not-run', tree: null })).toEqual({ state: 'not-run', tree: null });
  expect(standing(docs)).toEqual({ state: 'none-configured', tree: null });
  expect(standing()).toEqual({ state: 'none-configured', tree: null });
});

it('compares with the gates before the run only what is one gate, and two verdicts', () => {
  const since = (before: Partial<GateResult>, now: Partial<GateResult>) =>
    withBaseline([result(now)], [result(before)])[0]?.since;
  expect(since({ state: 'failed' }, { state: 'failed' })).toBe('already-there');
  expect(since({ state: 'failed' }, { state: 'passed' })).toBe('mended');
  expect(since({ state: 'passed' }, { state: 'failed' })).toBe('new');
  expect(since({ state: 'passed' }, { state: 'passed' })).toBe(null);
  expect(since({ state: 'could-not-run' }, { state: 'failed' })).toBe(null);
  expect(since({ state: 'failed' }, { state: 'not-run' })).toBe(null);
  expect(since({ state: 'passed', command: 'other' }, { state: 'failed' })).toBe(null);
  expect(withBaseline([result()], null)[0]?.since).toBe(null);
});

it('reads what it wrote, keeps what newer versions add, and refuses what is damaged', () => {
  const dir = temporaryFolder();
  expect(readGates(dir)).toBe(null);
  writeGates(dir, record());
  expect(readGates(dir)).toEqual(record());
  const file = join(dir, 'gates.json');
  writeFileSync(file, JSON.stringify({ ...record(), more: 1 }));
  expect(readGates(dir)).toMatchObject({ runId: 'R1', more: 1 });
  for (const text of [
    '',
    '[]',
    '{',
    JSON.stringify({ ...record(), gates: [{ ...result(), state: undefined }] }),
  ]) {
    writeFileSync(file, text);
    expect(() => readGates(dir)).toThrow(/gates\.json is damaged.*/);
  }
});

async function standingAfter(repository: TestRepository, runDir: string): Promise<GateStanding> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: temporaryFolder() };
  const located = await locateRepository(repository.dir, env, 30_000);
  const limits = { maxUntrackedBytes: 1000, gitTimeoutMs: 60_000 };
  const request = {
    repository: located,
    cwd: repository.dir,
    runDir,
    profile: 'write' as const,
    touch: [],
    env,
    limits,
  };
  const seen = await observe(request);
  repository.write({ 'baton.config.json': '{"gates":[]}' });
  const { evidence } = await seen.after({ killed: false, possible: () => true, gaps: [] });
  return gateStandingOf({ runDir, repository: located, evidence, env, gitTimeoutMs: 60_000 });
}

it('knows without running any whether there are gates, from before the run', async () => {
  const config = '{"gates":[{"name":"a","command":"false"}]}';
  const configured = makeRepository({ files: { 'baton.config.json': config } });
  expect(await standingAfter(configured, temporaryFolder())).toEqual({
    state: 'not-run',
    tree: null,
    gates: [],
    decidedBy: [],
  });
  expect((await standingAfter(makeRepository(), temporaryFolder())).state).toBe('none-configured');

  const checked = temporaryFolder();
  writeGates(checked, record({ decidedBy: ['ci.yml'] }));
  expect(await standingAfter(makeRepository(), checked)).toMatchObject({
    state: 'passed',
    tree: TREE,
    decidedBy: ['ci.yml'],
  });
  // A look before the run is no run of the gates.
  writeGates(checked, record({ gates: [], baseline: [result()], startedAt: null, finishedAt: null }));
  expect(
    (await standingAfter(makeRepository({ files: { 'baton.config.json': config } }), checked)).state,
  ).toBe('not-run');
});
