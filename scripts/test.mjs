// `npm test`: sets up what the suites need on a fresh machine, runs vitest, and closes with one line that counts.
//
//   npm test                            everything
//   npm test -- test/stream -t newline  arguments go to vitest; only what these suites need is set up
//   BATON_TEST_REQUIRE_ALL=1 npm test   nothing may be skipped: what cannot be set up is a failure (CI)

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const PROJECT = dirname(dirname(fileURLToPath(import.meta.url)));
const IN_SHELLS = 'test/commands/completion-shells.test.ts';
const REQUIRE_ALL = Boolean(process.env.BATON_TEST_REQUIRE_ALL);

const args = process.argv.slice(2);
const suites = await prepare(args.filter((arg) => !arg.startsWith('-')));
const lacking = suites.filter((suite) => suite.missing.length > 0);
for (const { name, missing, remedy } of lacking) {
  console.log(`\n${REQUIRE_ALL ? 'CANNOT RUN' : 'SKIPPED'}: ${name}`);
  for (const one of missing) console.log(`  missing: ${one}`);
  console.log(`  to enable: ${remedy}`);
}

const report = runVitest(args, lacking);
console.log(summaryLine(report));
process.exitCode = report.failed > 0 ? 1 : 0;

/**
 * The suites that need more than npm gave, with what they still miss after set-up. Without filters all are wanted.
 *
 * @param {string[]} filters parts of the paths of test files, as given to vitest
 */
async function prepare(filters) {
  const wanted = (folder) => filters.length === 0 || filters.some((filter) => filter.includes(folder));
  const prepared = [];
  if (wanted('conformance')) {
    prepared.push({
      name: 'conformance/ (the real agent CLIs in their real sandbox)',
      exclude: 'conformance/**',
      missing: [...sandboxParts(), ...(await realClis())],
      remedy:
        'as root on Debian or Ubuntu run `apt-get install bubblewrap socat`; then `npm test` with the npm registry in reach',
    });
  }
  if (wanted('test/review')) {
    prepared.push({
      name: 'test/review/report-browser.test.ts (the report in a real Chromium)',
      exclude: 'test/review/report-browser.test.ts',
      missing: chromium(),
      remedy: 'as root on Debian run `apt-get install chromium`',
    });
  }
  // One file of many in its folder: for the others, nothing is installed.
  if (filters.length === 0 || filters.some((filter) => IN_SHELLS.includes(filter))) {
    prepared.push({
      name: `${IN_SHELLS} (completion in a real zsh and fish)`,
      exclude: IN_SHELLS,
      missing: shells(),
      remedy: 'as root on Debian run `apt-get install zsh fish`',
    });
  }
  if (wanted('test/package')) {
    const { setUpNodes } = await load('conformance/nodes/setup.mjs');
    prepared.push({
      name: 'test/package on other Node versions (this one is tried all the same)',
      exclude: null,
      missing: setUpNodes(),
      remedy: 'run `npm ci` in conformance/nodes on Linux x64',
    });
  }
  return prepared;
}

/** What claude's sandbox is made of. */
function sandboxParts() {
  if (process.platform !== 'linux') return [];
  const programs = { bwrap: 'bubblewrap', socat: 'socat' };
  const absent = () => Object.keys(programs).filter((program) => !canRun(program, ['--version'], ['-V']));
  installWhereFree(absent().map((program) => programs[program]));
  const left = absent().map((program) => `${program} (package ${programs[program]})`);
  if (left.length > 0) return left;
  const sandbox = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-pid', '--proc', '/proc', 'true'], {
    encoding: 'utf8',
  });
  return sandbox.status === 0
    ? []
    : [`a system that lets bubblewrap make a sandbox: ${sandbox.stderr.trim()}`];
}

/** A browser that opens the report. */
function chromium() {
  const isThere = () => canRun('chromium', ['--version']) || canRun('chromium-browser', ['--version']);
  if (!isThere()) installWhereFree(['chromium']);
  return isThere() ? [] : ['chromium'];
}

/** The shells beside bash that baton completes in. */
function shells() {
  const absent = () => ['zsh', 'fish'].filter((shell) => !canRun(shell, ['--version']));
  installWhereFree(absent());
  return absent();
}

/** Packages of Debian, where that needs no question: as root, on a system with apt. */
function installWhereFree(packages) {
  if (packages.length === 0 || process.getuid?.() !== 0 || !canRun('apt-get', ['--version'])) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', '-q'], { env });
  run('apt-get', ['install', '-q', '-y', '--no-install-recommends', ...packages], { env });
}

async function realClis() {
  if (!existsSync(join(PROJECT, 'conformance', 'setup.mjs'))) return ['conformance/setup.mjs'];
  const { setUp } = await load('conformance/setup.mjs');
  return setUp();
}

/** Runs vitest with its own readable output, and counts from its JSON report. */
function runVitest(vitestArgs, excluded) {
  const folder = mkdtempSync(join(tmpdir(), 'baton-report-'));
  const file = join(folder, 'report.json');
  const vitest = join(PROJECT, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const exclude = excluded.flatMap((suite) => (suite.exclude ? [`--exclude=${suite.exclude}`] : []));
  try {
    const { status, signal } = run(
      process.execPath,
      [vitest, 'run', ...reporters, ...exclude, ...vitestArgs],
      {
        env: { ...process.env, BATON_TEST_BUILD: '1' },
      },
    );
    const ended = signal ?? status;
    if (!existsSync(file))
      return fail({ passed: 0, failed: 0, skipped: 0 }, `vitest ended with ${ended} and left no report`);
    return judge(JSON.parse(readFileSync(file, 'utf8')), ended, excluded);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Every way to be red counts: a test, a file that did not load, a process left behind, a test skipped where none may be. */
function judge(json, ended, excluded) {
  const broken = json.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  const tests = json.testResults.flatMap((file) => file.assertionResults);
  const skipped = tests.filter((test) => test.status !== 'passed' && test.status !== 'failed');
  let report = {
    passed: json.numPassedTests,
    failed: json.numFailedTests + broken.length,
    skipped: skipped.length,
  };
  if (ended !== 0 && report.failed === 0)
    report = fail(report, `vitest ended with ${ended} though no test failed (see above)`);
  if (ended === 0 && tests.length === 0) report = fail(report, 'no test ran');
  if (!REQUIRE_ALL) return report;
  for (const { name } of excluded) report = fail(report, `${name} must run here (BATON_TEST_REQUIRE_ALL)`);
  for (const { fullName } of skipped)
    report = fail(report, `skipped, but nothing may be (BATON_TEST_REQUIRE_ALL): ${fullName}`);
  return report;
}

function fail(report, why) {
  console.error(`FAILED: ${why}`);
  return { ...report, failed: report.failed + 1 };
}

function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function run(file, fileArgs, options = {}) {
  return spawnSync(file, fileArgs, { cwd: PROJECT, stdio: ['ignore', 'inherit', 'inherit'], ...options });
}

/** Whether a program exists and answers one of these calls. */
function canRun(program, ...calls) {
  return calls.some((call) => spawnSync(program, call, { stdio: 'ignore' }).status === 0);
}

function load(path) {
  return import(pathToFileURL(join(PROJECT, path)).href);
}
