import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { GatesRecord } from '../../src/gates/gate.ts';
import { gatesSchema } from '../../src/gates/record-schema.ts';
import { type Ended, runBaton, startBaton, until, untilDead, untilFile } from '../support/baton.ts';
import { type Surroundings, surroundings } from '../support/environment.ts';
import { isAlive } from '../support/processes.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { fakeDoing, type Proven, proven } from './proof.ts';

interface World {
  where: Surroundings;
  repository: TestRepository;
  /** Runs baton in the repository. */
  baton(...args: string[]): Promise<Ended>;
}

/** A repository with these gates, and a fake implementer that does `work`. */
function world(gates: object[] | string | null, work = 'echo work > work.txt', extra: object = {}): World {
  const config = typeof gates === 'string' ? gates : JSON.stringify({ gates }, null, 2);
  const repository = makeRepository({
    files: { 'a.txt': 'a\n', ...(gates === null ? {} : { 'baton.config.json': config }), ...extra },
  });
  const where = surroundings();
  fakeDoing(where, work);
  return {
    where,
    repository,
    baton: (...args) => runBaton(args, { env: where.env, cwd: repository.dir }),
  };
}

/** A finished run, kept where `baton check` finds it. */
async function ran({ where, repository }: World, args: string[] = []): Promise<Proven> {
  const run = await proven(where, { cd: repository.dir, args });
  expect(run.code).toBe(0);
  return run;
}

function recordOf(run: { dir: string }): GatesRecord {
  return gatesSchema.parse(JSON.parse(readFileSync(join(run.dir, 'gates.json'), 'utf8')));
}

function outputOf(run: { dir: string }, name: string): string {
  const output = recordOf(run).gates.find((gate) => gate.name === name)?.output;
  return readFileSync(join(run.dir, output ?? 'none'), 'utf8');
}

function states(record: GatesRecord): { [name: string]: string } {
  return Object.fromEntries(record.gates.map(({ name, state }) => [name, state]));
}

it('runs approved gates on what the run left, and binds them to its tree', async () => {
  const here = world(
    [
      { name: 'ok', command: 'echo out; echo err >&2; test -f work.txt' },
      { name: 'in-sub', command: 'pwd; test "$MODE" = strict', cwd: 'sub', env: { MODE: 'strict' } },
    ],
    'mkdir sub; echo x > sub/x; echo work > work.txt',
  );
  expect((await here.baton('gates', 'approve')).code).toBe(0);
  const run = await ran(here);
  const git = here.repository.fingerprint();

  const checked = await here.baton('check');
  expect(checked).toMatchObject({ code: 0, stderr: '' });
  expect(checked.stdout).toMatch(/^passed {9}ok/m);
  expect(checked.stdout).toMatch(/gates: 2 passed on tree [0-9a-f]{12}, exactly what the run left\n$/);

  const record = recordOf(run);
  expect(record).toMatchObject({
    runId: run.result.runId,
    treeIs: 'after',
    tree: run.result.evidence.afterTree,
    decidedBy: [],
    gaps: [],
    baseline: null,
    config: { path: 'baton.config.json', approved: true },
  });
  expect(record.gates.map(({ tree, changedTree }) => [tree, changedTree])).toEqual([
    [record.tree, []],
    [record.tree, []],
  ]);
  expect(outputOf(run, 'ok')).toBe('out\nerr\n');
  expect(outputOf(run, 'in-sub')).toBe(`${join(here.repository.dir, 'sub')}\n`);
  expect(statSync(join(run.dir, 'gates.json')).mode & 0o777).toBe(0o600);
  expect(statSync(join(run.dir, 'gate-output')).mode & 0o777).toBe(0o700);
  // Neither the check nor its looks wrote in the user's repository.
  expect(here.repository.fingerprint()).toEqual(git);

  const json = await here.baton('check', run.result.runId, '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({ state: 'passed', runId: run.result.runId });
});

it('tells failed, could not run and not run apart, with exit codes of their own', async () => {
  const here = world(
    [
      { name: 'fails', command: 'echo boom; exit 7' },
      { name: 'absent', command: 'no-such-program-here' },
      { name: 'plain-file', command: './a.txt' },
      { name: 'nowhere', command: 'true', cwd: 'not/there' },
      { name: 'deps', command: 'npm run nothing', cwd: 'app' },
      { name: 'docs', command: 'exit 1', when: ['docs/**'] },
      { name: 'code', command: 'true', when: ['docs', '*.txt'] },
      { name: 'killed', command: 'kill -9 $$' },
    ],
    undefined,
    { 'app/package.json': JSON.stringify({ devDependencies: { x: '1' } }) },
  );
  await here.baton('gates', 'approve');
  const run = await ran(here);
  const checked = await here.baton('check');
  expect(checked.code).toBe(1);
  const record = recordOf(run);
  expect(states(record)).toEqual({
    fails: 'failed',
    absent: 'could-not-run',
    'plain-file': 'could-not-run',
    nowhere: 'could-not-run',
    deps: 'could-not-run',
    docs: 'not-run',
    code: 'passed',
    killed: 'failed',
  });
  const find = (name: string) => record.gates.find((gate) => gate.name === name);
  expect(find('fails')).toMatchObject({ exitCode: 7, reason: 'exit 7' });
  expect(find('absent')?.reason).toMatch(/not found/);
  expect(find('plain-file')?.reason).toMatch(/cannot be executed/);
  expect(find('deps')?.reason).toMatch(/app\/node_modules is missing/);
  expect(find('docs')).toMatchObject({ applies: false, output: null });
  expect(find('killed')).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
  expect(checked.stdout).toContain('FAILED         fails');

  const only = world([{ name: 'absent', command: 'no-such-program-here' }]);
  await only.baton('gates', 'approve');
  await ran(only);
  expect((await only.baton('check')).code).toBe(3);
});

it('runs no command of a repository that nobody approved, and says how to approve it', async () => {
  const here = world([{ name: 'evil', command: 'touch ran-it' }]);
  const run = await ran(here);
  const refused = await here.baton('check');
  expect(refused.code).toBe(3);
  expect(refused.stdout).toMatch(/not approved \(sha-256 [0-9a-f]{64}\)/);
  expect(refused.stdout).toContain('baton gates approve');
  expect(states(recordOf(run))).toEqual({ evil: 'not-run' });
  expect(existsSync(join(here.repository.dir, 'ran-it'))).toBe(false);

  // What a person names by hand needs no approval, and does not lend it to others.
  await here.baton('check', '--gate', 'mine=true');
  expect(states(recordOf(run))).toEqual({ evil: 'not-run', mine: 'passed' });
  expect(existsSync(join(here.repository.dir, 'ran-it'))).toBe(false);

  const listed = await here.baton('gates', 'list');
  expect(listed.stdout).toMatch(/evil {2}touch ran-it[^]*is not approved/);
  await here.baton('gates', 'approve');
  expect((await here.baton('check')).code).toBe(0);
  expect(recordOf(run).gates[0]).toMatchObject({ state: 'passed', changedTree: ['ran-it'] });
});

it('goes by the configuration before the run, whatever the implementer made of it', async () => {
  const here = world(
    [{ name: 'strict', command: 'echo strict; exit 1' }],
    `printf '{"gates":[{"name":"strict","command":"true"}]}' > baton.config.json; mkdir -p .github/workflows; echo x > .github/workflows/ci.yml`,
  );
  await here.baton('gates', 'approve');
  const run = await ran(here);
  const checked = await here.baton('check');
  expect(checked.code).toBe(1);
  expect(checked.stdout).toMatch(
    /^this run changed what decides about the gates: \.github\/workflows\/ci\.yml, baton\.config\.json\n/,
  );
  expect(outputOf(run, 'strict')).toBe('strict\n');
  expect(recordOf(run).decidedBy).toEqual(['.github/workflows/ci.yml', 'baton.config.json']);

  // The next run begins with the edited file, which nobody approved.
  await ran(here);
  const next = await here.baton('check');
  expect(next.code).toBe(3);
  expect(next.stdout).toContain('is not approved');
  // The earlier one is still the one that it began with.
  const before = await here.baton('gates', 'list', '--run', run.result.runId);
  expect(before.stdout).toMatch(/strict {2}echo strict; exit 1[^]*is approved/);
});

it('says which scripts the run changed, and nothing of mere dependencies', async () => {
  const manifest = (more: object): string =>
    JSON.stringify({ name: 'x', scripts: { test: 'false' }, ...more });
  const quiet = world(
    [{ name: 't', command: 'true' }],
    `printf '%s' '${manifest({ dependencies: { a: '1' } })}' > package.json`,
    {
      'package.json': manifest({}),
    },
  );
  await quiet.baton('gates', 'approve');
  const one = await ran(quiet);
  await quiet.baton('check');
  expect(recordOf(one).decidedBy).toEqual([]);

  const loud = world(
    [{ name: 't', command: 'sh tools/check.sh' }],
    `printf '%s' '${manifest({ scripts: { test: 'true' } })}' > package.json; echo true > tools/check.sh`,
    {
      'package.json': manifest({}),
      'tools/check.sh': 'false\n',
    },
  );
  await loud.baton('gates', 'approve');
  const two = await ran(loud);
  await loud.baton('check');
  expect(recordOf(two).decidedBy).toEqual(['package.json', 'tools/check.sh']);
});

it('says when the tree is another one by now', async () => {
  const here = world([{ name: 'ok', command: 'true' }]);
  await here.baton('gates', 'approve');
  const run = await ran(here);
  here.repository.write({ 'mine.txt': 'later\n' });
  const checked = await here.baton('check');
  expect(checked.stdout).toContain('the working tree is not what the run left');
  const record = recordOf(run);
  expect(record.treeIs).toBe('other');
  expect(record.tree).not.toBe(run.result.evidence.afterTree);

  here.repository.write({ 'mine.txt': null });
  await here.baton('check');
  expect(recordOf(run)).toMatchObject({ treeIs: 'after', tree: run.result.evidence.afterTree });
});

it('names what a gate changed, and runs the next one on the tree that is there then', async () => {
  const here = world([
    { name: 'formats', command: 'echo formatted > a.txt; rm work.txt; echo new > n.txt' },
    { name: 'looks', command: 'cat a.txt' },
  ]);
  await here.baton('gates', 'approve');
  const run = await ran(here);
  const checked = await here.baton('check');
  expect(checked.stdout).toContain('it changed the working tree: a.txt, n.txt, work.txt');
  const { gates, tree } = recordOf(run);
  expect(gates[0]).toMatchObject({ state: 'passed', tree, changedTree: ['a.txt', 'n.txt', 'work.txt'] });
  expect(gates[1]?.tree).not.toBe(tree);
  // No one tree passed all of them.
  expect(checked.stdout).not.toContain(' on tree ');
});

it('ends a gate that overstays, with all that it started and deaf to TERM', async () => {
  const here = world([
    {
      name: 'hangs',
      command: `trap '' TERM; (trap '' TERM; echo $$ > inner; setsid sleep 300) & sleep 300; sleep 300`,
      timeout: '1s',
    },
    { name: 'next', command: 'true' },
  ]);
  await here.baton('gates', 'approve');
  const run = await ran(here);
  const checked = await here.baton('check');
  expect(checked.code).toBe(1);
  const [hangs, next] = recordOf(run).gates;
  expect(hangs).toMatchObject({ state: 'failed', timedOut: true, exitCode: null, survivors: [] });
  expect(hangs?.reason).toMatch(/still running after 1\.0s/);
  expect(next?.state).toBe('passed');
});

it('ends a daemon that a gate left, and names it', async () => {
  const here = world([
    { name: 'serves', command: `nohup setsid sleep 300 >/dev/null 2>&1 & echo $! > ../daemon-pid` },
  ]);
  const pidFile = join(here.repository.dir, '..', 'daemon-pid');
  await here.baton('gates', 'approve');
  const run = await ran(here);
  expect((await here.baton('check')).code).toBe(0);
  expect(recordOf(run).gates[0]?.left.join()).toMatch(/\d+ .*sleep 300/);
  expect(isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
  rmSync(pidFile);
});

it('keeps large output in a file and out of memory', async () => {
  const here = world([{ name: 'loud', command: 'head -c 60000000 /dev/zero' }]);
  await here.baton('gates', 'approve');
  const run = await ran(here);
  const checked = await here.baton('check');
  expect(checked.code).toBe(0);
  expect(recordOf(run).gates[0]).toMatchObject({ outputBytes: 60_000_000 });
  expect(checked.stdout.length).toBeLessThan(1000);
});

it('withholds what looks like a credential, unless the gate names it', async () => {
  const here = world([{ name: 'env', command: 'env', env: { NPM_TOKEN: true, OWN_SECRET: 'set' } }]);
  Object.assign(here.where.env, {
    NPM_TOKEN: 'passed-on',
    GITHUB_TOKEN: 'hidden-1',
    ANTHROPIC_API_KEY: 'hidden-2',
    DATABASE_URL: 'postgres://me:hidden-3@db/x',
    PLAIN: 'stays',
    GIT_DIR: '/nowhere',
  });
  const approve = await runBaton(['gates', 'approve'], {
    env: { ...here.where.env, GIT_DIR: '' },
    cwd: here.repository.dir,
  });
  expect(approve.code).toBe(0);
  const run = await ran(here);
  await here.baton('check');
  const output = outputOf(run, 'env');
  expect(output).toMatch(/^NPM_TOKEN=passed-on$/m);
  expect(output).toMatch(/^OWN_SECRET=set$/m);
  expect(output).toMatch(/^PLAIN=stays$/m);
  expect(output).not.toMatch(/hidden|GIT_DIR/);
  const record = readFileSync(join(run.dir, 'gates.json'), 'utf8');
  expect(recordOf(run).gates[0]?.withheld).toEqual(['ANTHROPIC_API_KEY', 'DATABASE_URL', 'GITHUB_TOKEN']);
  expect(record).not.toMatch(/hidden/);
});

it.each([
  [
    'a link',
    (top: string, outside: string) => {
      writeFileSync(join(outside, 'c.json'), '{"gates":[{"name":"x","command":"touch ran-it"}]}');
      symlinkSync(join(outside, 'c.json'), join(top, 'baton.config.json'));
    },
    /symbolic link/,
  ],
  [
    'no JSON',
    (top: string) => writeFileSync(join(top, 'baton.config.json'), '{ "gates": [ }'),
    /cannot be used: line 1/,
  ],
  [
    'a prototype',
    (top: string) =>
      writeFileSync(
        join(top, 'baton.config.json'),
        '{"__proto__":{"gates":[{"name":"x","command":"touch ran-it"}]}}',
      ),
    /__proto__/,
  ],
  ['a misspelt field', (top: string) => writeFileSync(join(top, 'baton.config.json'), '{"gate":[]}'), /gate/],
])('refuses a configuration that is %s', async (_, place, why) => {
  const here = world(null);
  place(here.repository.dir, temporaryFolder());
  const list = await here.baton('gates', 'list');
  expect(list).toMatchObject({ code: 1, stdout: '' });
  expect(list.stderr).toMatch(why);
  expect((await here.baton('gates', 'approve')).code).toBe(1);
  await ran(here);
  const checked = await here.baton('check');
  expect(checked).toMatchObject({ code: 3, stdout: '' });
  expect(checked.stderr).toMatch(why);
  expect(existsSync(join(here.repository.dir, 'ran-it'))).toBe(false);
});

it('counts an approval in the main checkout for its worktrees, and none of another worktree', async () => {
  const here = world([{ name: 'ok', command: 'true' }]);
  const linked = join(temporaryFolder(), 'linked');
  here.repository.git('worktree', 'add', '-q', linked);
  await here.baton('gates', 'approve');
  const there = { ...here, repository: { ...here.repository, dir: linked } };
  await ran(there);
  const check = (): Promise<Ended> => runBaton(['check'], { env: here.where.env, cwd: linked });
  expect((await check()).code).toBe(0);

  // In the linked one another configuration is approved: for it alone.
  writeFileSync(join(linked, 'baton.config.json'), '{"gates":[{"name":"ok","command":"exit 0"}]}');
  await runBaton(['gates', 'approve'], { env: here.where.env, cwd: linked });
  await ran(there);
  expect((await check()).code).toBe(0);
  here.repository.write({ 'baton.config.json': '{"gates":[{"name":"ok","command":"exit 0"}]}' });
  await ran(here);
  expect((await here.baton('check')).code).toBe(3);
});

it('stops at SIGINT, with everything ended and the rest not run', async () => {
  const here = world([
    { name: 'long', command: 'echo $$ > ../long-pid; sleep 300' },
    { name: 'rest', command: 'true' },
  ]);
  const pidFile = join(here.repository.dir, '..', 'long-pid');
  await here.baton('gates', 'approve');
  const run = await ran(here);
  const started = await startBaton(['check'], { env: here.where.env, cwd: here.repository.dir });
  const pid = Number(await untilFile(pidFile));
  const other = await here.baton('check');
  expect(other.code).toBe(2);
  started.signal('SIGINT');
  expect((await started.ended).code).toBe(130);
  await untilDead(pid);
  rmSync(pidFile);
  expect(recordOf(run).gates.map(({ state, reason }) => [state, reason])).toEqual([
    ['not-run', 'it was interrupted'],
    ['not-run', 'it was interrupted'],
  ]);
  // The next one can go on at once.
  await until('the lock', () => !isAlive(started.pid));
  expect((await here.baton('check', '--gate', 'long=true')).code).toBe(0);
});

it('says that there are no gates, and takes that for no pass', async () => {
  const here = world(null);
  const run = await ran(here);
  const checked = await here.baton('check');
  expect(checked).toMatchObject({ code: 3 });
  expect(checked.stdout).toContain('no gates are configured');
  expect(recordOf(run)).toMatchObject({ config: null, gates: [] });
  expect((await here.baton('check', '--gate', 'nothing')).code).toBe(2);
  expect((await here.baton('check', 'no-such-run')).code).toBe(3);
});

it('runs the gates right after a dispatch, in the same answer', async () => {
  const here = world([{ name: 'ok', command: 'test -f work.txt' }]);
  await here.baton('gates', 'approve');
  const run = await ran(here, ['--check', '--gate', 'more=echo more']);
  expect(run.stdout).toMatch(/gates: 2 passed on tree [0-9a-f]{12}, exactly what the run left\n$/);
  expect(states(recordOf(run))).toEqual({ ok: 'passed', more: 'passed' });
  expect(run.stderr).toContain('gate ok after the run: passed');

  const failing = await here.baton(
    'dispatch',
    '--brief',
    join(here.repository.dir, 'a.txt'),
    '--json',
    '--gate',
    'no=false',
  );
  expect(failing.code).toBe(1);
  expect(JSON.parse(failing.stdout)).toMatchObject({
    status: 'completed',
    exitCode: 0,
    gates: {
      gates: [
        { name: 'ok', state: 'passed' },
        { name: 'no', state: 'failed' },
      ],
    },
  });
});

it('refuses before a dispatch what would keep the gates from being run', async () => {
  const here = world([{ name: 'ok', command: 'true' }]);
  const dispatch = (...args: string[]): Promise<Ended> =>
    here.baton('dispatch', '--brief', join(here.repository.dir, 'a.txt'), ...args);
  const unapproved = await dispatch('--check');
  expect(unapproved).toMatchObject({ code: 2, stdout: '' });
  expect(unapproved.stderr).toMatch(/not approved.*baton gates approve/);
  here.repository.write({ 'baton.config.json': '{' });
  expect((await dispatch('--baseline')).code).toBe(2);
  here.repository.write({ 'baton.config.json': null });
  expect((await dispatch('--check')).stderr).toMatch(/none is configured.*baton gates detect/);
  expect(existsSync(join(here.where.state, 'runs'))).toBe(false);
  expect(existsSync(join(here.repository.dir, 'work.txt'))).toBe(false);
});

it('tells failures that were there before from new ones, and what was mended', async () => {
  const here = world(
    [
      { name: 'old', command: 'exit 1' },
      { name: 'broken', command: 'test ! -f work.txt' },
      { name: 'mended', command: 'test -f work.txt' },
      { name: 'fine', command: 'echo "$$" > built.log' },
    ],
    'echo work > work.txt',
    { '.gitignore': '' },
  );
  await here.baton('gates', 'approve');
  const run = await proven(here.where, { cd: here.repository.dir, args: ['--baseline'] });
  expect(recordOf(run)).toMatchObject({ startedAt: null, gates: [] });
  expect(recordOf(run).baseline?.map(({ name, state }) => [name, state])).toEqual([
    ['old', 'failed'],
    ['broken', 'passed'],
    ['mended', 'failed'],
    ['fine', 'passed'],
  ]);
  // What a gate wrote before the run is not taken for the implementer's.
  expect(run.result.evidence.changes.map(({ path }) => path)).toEqual(['work.txt']);

  const checked = await here.baton('check');
  expect(checked.code).toBe(1);
  expect(checked.stdout).toContain('(it failed before the run too)');
  expect(checked.stdout).toContain('(it passed before the run)');
  expect(recordOf(run).gates.map(({ name, since }) => [name, since])).toEqual([
    ['old', 'already-there'],
    ['broken', 'new'],
    ['mended', 'mended'],
    ['fine', null],
  ]);
  expect(readdirSync(join(run.dir, 'gate-output')).filter((name) => name.startsWith('before-'))).toHaveLength(
    4,
  );
});

it('goes on after a damaged record, and never writes through a planted link', async () => {
  const here = world([{ name: 'ok', command: 'true' }]);
  await here.baton('gates', 'approve');
  const run = await ran(here);
  writeFileSync(join(run.dir, 'gates.json'), '{"schema":');
  expect((await here.baton('check')).code).toBe(0);
  expect(recordOf(run).gaps.join()).toMatch(/gates\.json is damaged/);

  const outside = temporaryFolder();
  rmSync(join(run.dir, 'gate-output'), { recursive: true });
  symlinkSync(outside, join(run.dir, 'gate-output'));
  expect((await here.baton('check')).code).toBe(3);
  expect(readdirSync(outside)).toEqual([]);
});

it('works outside of git with gates that are named', async () => {
  const where = surroundings();
  fakeDoing(where, 'echo work > work.txt');
  const folder = join(where.root, 'plain');
  mkdirSync(folder);
  const run = await proven(where, { cd: folder });
  const at = { env: where.env, cwd: folder };
  expect((await runBaton(['check'], at)).stderr).toMatch(/not known.*--gate/);
  const checked = await runBaton(['check', '--gate', 'ok=test -f work.txt'], at);
  expect(checked.code).toBe(0);
  expect(recordOf(run)).toMatchObject({
    treeIs: 'unknown',
    tree: null,
    gates: [{ state: 'passed', tree: null }],
  });
});

it('takes the gates of a package.json, and loses the approval with any edit of it', async () => {
  const manifest = (more: object): string =>
    JSON.stringify({ name: 'x', baton: { gates: [{ name: 'ok', command: 'true' }] }, ...more });
  const here = world(null, undefined, { 'package.json': manifest({}) });
  expect((await here.baton('gates', 'approve')).stdout).toMatch(/package\.json is approved/);
  const run = await ran(here);
  expect((await here.baton('check')).code).toBe(0);
  expect(recordOf(run).config).toMatchObject({ path: 'package.json', approved: true });

  here.repository.write({ 'package.json': manifest({ version: '2' }) });
  await ran(here);
  expect((await here.baton('check')).code).toBe(3);
});

it('knows an approved file again whose line ends git keeps otherwise', async () => {
  const here = world(null);
  here.repository.git('config', 'core.autocrlf', 'true');
  here.repository.write({
    'baton.config.json': '{\r\n "gates": [{ "name": "ok", "command": "true" }]\r\n}\r\n',
  });
  await here.baton('gates', 'approve');
  await ran(here);
  expect((await here.baton('check')).code).toBe(0);
});

it('proposes gates and writes them only when told, never over a file, never approved', async () => {
  const here = world(null, undefined, {
    'package.json': JSON.stringify({ scripts: { test: 'exit 0', deploy: 'x' } }),
    'AGENTS.md': 'Run `make check` first.\n',
  });
  const file = join(here.repository.dir, 'baton.config.json');
  const shown = await here.baton('gates', 'detect');
  expect(shown.stdout).toMatch(
    /check {2}make check {2}AGENTS\.md:1\ntest {2}npm test {2}package\.json scripts\.test\n/,
  );
  expect(existsSync(file)).toBe(false);

  const written = await here.baton('gates', 'detect', '--write', '--json');
  expect(JSON.parse(written.stdout)).toMatchObject({ written: file });
  const text = readFileSync(file, 'utf8');
  const list = await here.baton('gates', 'list', '--json');
  expect(JSON.parse(list.stdout)).toMatchObject({
    path: 'baton.config.json',
    approved: false,
    gates: [{ name: 'check', command: 'make check' }, { name: 'test' }],
  });
  const again = await here.baton('gates', 'detect', '--write');
  expect(again.code).toBe(2);
  expect(again.stderr).toMatch(/there already/);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

it('gives the drop-in no flags of gates: its contract is another', async () => {
  const where = surroundings();
  const relay = await runBaton(['--check'], {
    env: where.env,
    program: 'relay',
    cwd: where.root,
  });
  expect(relay.code).toBe(2);
  expect(relay.stderr).toMatch(/unknown option '--check'/);
});

it('does not run gates after a run that did not complete', async () => {
  const here = world([{ name: 'ok', command: 'touch ran-it' }]);
  await here.baton('gates', 'approve');
  fakeDoing(here.where, 'exit 9');
  const run = await proven(here.where, { cd: here.repository.dir, args: ['--check'] });
  expect(run.code).toBe(9);
  expect(run.stderr).toContain('the gates were not run: the run did not complete (failed)');
  expect(existsSync(join(here.repository.dir, 'ran-it'))).toBe(false);
});

it('gates run around a rework as around a dispatch: before it, and on what it left', async () => {
  const here = world(null, 'echo bad > work.txt');
  await ran(here);
  fakeDoing(here.where, 'echo good > work.txt');
  const delta = join(here.where.root, 'delta.md');
  writeFileSync(delta, 'Make it good.\n');

  const flags = ['--baseline', '--check', '--gate', 'good=grep good work.txt', '--json'];
  const reworked = await here.baton('rework', '--brief', delta, ...flags);

  expect(reworked).toMatchObject({ code: 0 });
  expect(JSON.parse(reworked.stdout)).toMatchObject({
    parent: expect.any(String),
    gates: { gates: [{ name: 'good', state: 'passed', since: 'mended' }] },
  });
});
