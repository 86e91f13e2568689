import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/review/finding.ts';
import { runBaton } from '../support/baton.ts';
import { surroundings, type Surroundings } from '../support/environment.ts';
import { quote } from '../support/fake.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { fakeBytes, lines, proven, result, session } from './proof.ts';

const TEST = `import { add } from './add.js';

it('adds', () => {
  expect(add(1, 2)).toBe(3);
  expect(add(0, 0)).toBe(0);
});
`;
const FILES = { 'src/add.js': 'export const add = (a, b) => a + b;\n', 'src/add.test.js': TEST };

/** A use of a tool and its end, as claude prints them. */
function used(id: string, name: string, input: object, end: { output: string; isError?: boolean }): string[] {
  return [
    JSON.stringify({
      type: 'assistant',
      message: { id: `m${id}`, content: [{ type: 'tool_use', id, name, input }] },
    }),
    JSON.stringify({
      type: 'user',
      message: {
        content: [
          { type: 'tool_result', tool_use_id: id, content: end.output, is_error: end.isError ?? false },
        ],
      },
    }),
  ];
}

/** A run that did this in the working tree and said that. */
async function runDoing(
  where: Surroundings,
  repository: TestRepository,
  script: string,
  said: { records?: string[]; report?: string; args?: string[] } = {},
): Promise<string> {
  fakeBytes(
    where,
    lines(
      session(),
      ...(said.records ?? []),
      result({ result: said.report ?? 'done', total_cost_usd: 0.42 }),
    ),
    { before: script },
  );
  const run = await proven(where, { cd: repository.dir, args: said.args ?? [], brief: 'Add numbers.\n' });
  return run.dir;
}

interface Reviewed {
  runId: string;
  findings: Finding[];
  notReviewed: string[];
  pagePath: string | null;
}

async function review(where: Surroundings, repository: TestRepository, ...args: string[]): Promise<Reviewed> {
  const { code, stdout, stderr } = await runBaton(['review', '--json', '--cd', repository.dir, ...args], {
    env: where.env,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const value: Reviewed = JSON.parse(stdout);
  return value;
}

function kindsOf({ findings }: Reviewed): string[] {
  return findings.map(({ kind }) => kind);
}

describe('baton review', () => {
  it('finds what the implementer did to the tests, with file and line, and not what was there before', async () => {
    const where = surroundings();
    const repository = makeRepository({ files: FILES });
    // The user's own, uncommitted: none of the run's.
    repository.write({ 'src/mine.js': 'console.log("mine");\n// eslint-disable-next-line\n' });
    await runDoing(
      where,
      repository,
      `sed -i -e 's/toBe(3)/toBeTruthy()/' -e '/add(0, 0)/d' src/add.test.js`,
    );
    const reviewed = await review(where, repository);
    expect(reviewed.findings).toEqual([
      {
        kind: 'assertion-removed',
        file: 'src/add.test.js',
        line: 5,
        side: 'before',
        text: 'expect(add(0, 0)).toBe(0);',
        detail: 'the test "adds" no longer asserts this',
      },
      expect.objectContaining({
        kind: 'assertion-loosened',
        file: 'src/add.test.js',
        line: 4,
        side: 'after',
        text: 'expect(add(1, 2)).toBeTruthy();',
      }),
    ]);
    expect(reviewed.notReviewed).toEqual([]);
  });

  it('finds an answer that was written for a test which the run did not touch', async () => {
    const where = surroundings();
    const repository = makeRepository({
      files: {
        ...FILES,
        'test/tax.test.js': `it('x', () => {\n  expect(tax('DE-1234')).toBe(8421.77);\n});\n`,
      },
    });
    await runDoing(
      where,
      repository,
      `printf '%s\\n' "export const tax = (id) => {" "  if (id === 'DE-1234') return 8421.77;" "  return 0;" "};" >src/tax.js`,
    );
    const { findings } = await review(where, repository);
    expect(findings).toEqual([
      expect.objectContaining({ kind: 'value-hard-coded', file: 'src/tax.js', line: 2 }),
    ]);
    expect(findings[0]?.detail).toContain('test/tax.test.js:2');
  });

  it('holds the claim against the stream and the tree', async () => {
    const where = surroundings();
    const repository = makeRepository({ files: FILES });
    await runDoing(where, repository, `echo '// x' >>src/add.js`, {
      records: used('t1', 'Bash', { command: 'npm test' }, { output: '1 failed', isError: true }),
      report:
        'All tests pass.\n\n- Updated `src/parse.js` to be faster.\n- Updated `src/add.js`.\n- Added tests.',
    });
    const { findings } = await review(where, repository);
    expect(findings.map(({ kind, text }) => [kind, text])).toEqual([
      ['claim-unsupported', 'All tests pass.'],
      ['claim-unsupported', 'Updated `src/parse.js` to be faster.'],
      ['claim-unsupported', 'Added tests.'],
    ]);
    expect(findings[0]?.detail).toContain('the last such command failed: npm test');
  });

  it('believes a gate more than the stream', async () => {
    const where = surroundings();
    const repository = makeRepository({ files: FILES });
    await runDoing(where, repository, `echo '// x' >>src/add.js`, {
      records: used('t1', 'Bash', { command: 'npm test' }, { output: 'ok' }),
      report: 'All tests pass.',
    });
    expect(kindsOf(await review(where, repository))).toEqual([]);
    await runBaton(['check', '--cd', repository.dir, '--gate', 'test=exit 1'], { env: where.env });
    const { findings } = await review(where, repository);
    expect(findings.map(({ detail }) => detail)).toEqual([
      'it says that the tests pass; the gate "test" failed',
    ]);
    await runBaton(['check', '--cd', repository.dir, '--gate', 'test=exit 0'], { env: where.env });
    expect(kindsOf(await review(where, repository))).toEqual([]);
  });

  it('names what was denied, what broke the boundary, and what lies outside of the scope', async () => {
    const where = surroundings();
    const repository = makeRepository({ files: FILES });
    await runDoing(where, repository, `git tag made-by-it; echo '// x' >>src/add.js; echo y >other.txt`, {
      records: [],
      args: ['--touch', 'src'],
    });
    const { findings } = await review(where, repository);
    expect(findings.map(({ kind, file }) => [kind, file])).toEqual([
      ['boundary-violation', null],
      ['out-of-scope', 'other.txt'],
    ]);
  });

  it('reads both sides from the run alone: also when the tree has moved on and the objects are gone', async () => {
    const where = surroundings();
    const repository = makeRepository({ files: FILES });
    await runDoing(where, repository, `sed -i "s/it('adds'/it.skip('adds'/" src/add.test.js`);
    repository.commit({ 'src/add.test.js': null }, 'gone');
    repository.git('checkout', '-q', '--orphan', 'new');
    repository.commit({ 'src/add.js': null, a: 'a' }, 'other');
    repository.git('branch', '-D', 'main');
    repository.git('reflog', 'expire', '--expire=now', '--all');
    repository.git('gc', '-q', '--prune=now');
    expect(kindsOf(await review(where, repository))).toEqual(['test-skipped']);
  });

  it('runs no filter, no diff driver and no hook, though the implementer names some', async () => {
    const where = surroundings();
    const repository = makeRepository({ files: FILES });
    const ran = join(where.root, 'ran');
    await runDoing(
      where,
      repository,
      `echo '* filter=evil diff=evil' >.gitattributes; echo 'debugger;' >>src/add.js`,
    );
    const before = repository.fingerprint();
    for (const key of ['filter.evil.smudge', 'filter.evil.clean', 'diff.evil.textconv', 'diff.evil.command'])
      repository.git('config', key, `touch ${quote(ran)}; cat`);
    const { code } = await runBaton(['review', '--cd', repository.dir, '--html'], { env: where.env });
    expect(code).toBe(0);
    expect(existsSync(ran)).toBe(false);
    expect(Object.keys(repository.fingerprint())).toEqual(Object.keys(before));
  });

  it('says what it did not look at', async () => {
    const where = surroundings();
    const repository = makeRepository({ files: FILES });
    await runDoing(
      where,
      repository,
      `printf 'a\\0b' >data.bin; yes 'const a = 1;' | head -c 3000000 >src/huge.js`,
    );
    const { notReviewed } = await review(where, repository);
    expect(notReviewed).toEqual([
      'data.bin: binary',
      expect.stringContaining('src/huge.js: only its patch was read'),
    ]);
  });

  it('writes the page into the run directory, or where it is told, for its owner alone', async () => {
    const where = surroundings();
    const repository = makeRepository({ files: FILES });
    const dir = await runDoing(where, repository, `echo 'debugger;' >>src/add.js`, { report: '<b>done</b>' });
    const own = await review(where, repository, '--html');
    expect(own.pagePath).toBe(join(dir, 'report.html'));
    const page = readFileSync(join(dir, 'report.html'), 'utf8');
    expect(page).toContain('&lt;b&gt;done&lt;/b&gt;');
    expect(page).toContain('Add numbers.');
    expect(statSync(join(dir, 'report.html')).mode & 0o777).toBe(0o600);

    const file = join(temporaryFolder(), 'page.html');
    const told = await runBaton(['review', '--cd', repository.dir, '--html', file], { env: where.env });
    expect(told.stdout).toContain(file);
    expect(readFileSync(file, 'utf8')).toBe(page);

    const nowhere = await runBaton(['review', '--cd', repository.dir, '--html', '/nowhere/page.html'], {
      env: where.env,
    });
    expect(nowhere).toMatchObject({ code: 1, stdout: '' });
    expect(nowhere.stderr).toMatch(/^baton: the report cannot be written to \/nowhere\/page\.html: .*\n$/);
  });

  it('never lets what the implementer wrote drive the terminal', async () => {
    const where = surroundings();
    const repository = makeRepository({ files: FILES });
    await runDoing(
      where,
      repository,
      `printf '// eslint-disable \\033[2J\\033]0;owned\\007\\n' >"src/a$(printf '\\033[31m').js"`,
      {
        report: 'Updated `src/\u001b[2Jb.js`. All tests pass \u001b]0;owned\u0007',
      },
    );
    const { stdout } = await runBaton(['review', '--cd', repository.dir], { env: where.env });
    expect(stdout).toContain('src/a\\x1b[31m.js:1');
    // oxlint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  it('sees a chain of reworked runs as one: what the last run mended is no finding any more', async () => {
    const where = surroundings();
    const repository = makeRepository({ files: FILES });
    await runDoing(
      where,
      repository,
      `sed -i "s/it('adds'/it.skip('adds'/" src/add.test.js; echo 'debugger;' >>src/add.js`,
    );
    expect(kindsOf(await review(where, repository))).toEqual(['test-skipped', 'debug-leftover']);
    fakeBytes(where, lines(session(), result()), { before: `sed -i 's/it.skip(/it(/' src/add.test.js` });
    const brief = join(where.root, 'delta.md');
    writeFileSync(brief, 'Do not skip it.\n');
    const reworked = await runBaton(['rework', '--cd', repository.dir, '--brief', brief], { env: where.env });
    expect(reworked.code).toBe(0);
    const reviewed = await review(where, repository);
    expect(reviewed.findings).toEqual([
      expect.objectContaining({ kind: 'debug-leftover', file: 'src/add.js', line: 2 }),
    ]);
    expect(reviewed.notReviewed).toEqual([]);
    const { stdout } = await runBaton(['review', '--cd', repository.dir], { env: where.env });
    expect(stdout).toContain('with 1 run that it reworks');
  });

  it('reviews a run that changed nothing, and refuses one that is not there', async () => {
    const where = surroundings();
    const repository = makeRepository({ files: FILES });
    await runDoing(where, repository, '');
    const { stdout } = await runBaton(['review', '--cd', repository.dir], { env: where.env });
    expect(stdout).toContain('no findings');
    expect(stdout).toContain('proves nothing');
    const none = await runBaton(['review', 'zzz', '--cd', repository.dir], { env: where.env });
    expect(none).toMatchObject({ code: 1, stdout: '' });
    expect(none.stderr).toContain('no run "zzz"');
  });
});
