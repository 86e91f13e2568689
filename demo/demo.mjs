// The whole story in a minute, with nothing but Node and git: `baton demo`, and in the repository `npm run demo`. A small
// project with a failing test and with somebody's unfinished work in it; a brief; a dispatch, live; exactly what it
// changed; gate, review, and the commit.
//
//   baton demo                         the scripted implementer plays fix.yaml
//   baton demo --implementer claude    the real claude, driven by a scripted model on loopback (claude.yaml)
//   baton demo --implementer codex     the real codex, likewise (codex.yaml)
//
// No account and no network. Everything happens in a scratch folder, which is kept and named at the end. It ships with
// the package as it is, and uses the `baton` beside it.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  appendFileSync,
  constants,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { constants as system, devNull, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, styleText } from 'node:util';

const DEMO = dirname(fileURLToPath(import.meta.url));
const BATON = join(dirname(DEMO), 'bin', 'baton.js');
const BRIEF = join(DEMO, 'brief.md');
const COLOUR = process.stdout.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb';

const NPM_PACKAGES = { claude: '@anthropic-ai/claude-code', codex: '@openai/codex' };

/** Whose commits these are. */
const IDENTITY = {
  GIT_AUTHOR_NAME: 'Demo',
  GIT_AUTHOR_EMAIL: 'demo@localhost',
  GIT_COMMITTER_NAME: 'Demo',
  GIT_COMMITTER_EMAIL: 'demo@localhost',
};

/** Why there is nothing more to show. */
class Stopped extends Error {
  constructor(message, code = 1) {
    super(message);
    this.code = code;
  }
}

/** The first signal that asked the demo to end. */
let interrupted = null;
/** The `baton` that is running. */
let running = null;

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(name, () => {
    interrupted ??= name;
    // A terminal sends its signals to all of us; this one comes to the demo alone.
    if (interrupted === 'SIGTERM') running?.kill(name);
  });
}

// `baton demo | head` closes our stdout: no reason for a stack trace.
process.stdout.on('error', () => {});

process.exitCode = await play(chosenImplementer());

/** @param {'scripted' | 'claude' | 'codex'} implementer */
async function play(implementer) {
  let scratch = null;
  try {
    if (implementer !== 'scripted' && !isOnPath(implementer)) throw missing(implementer);
    git(DEMO, ['--version'], process.env);
    scratch = scratchFolder();
    return await demo(implementer, scratch);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    console.error(`demo: ${error.message}${scratch === null ? '' : `; what there is lies in ${scratch}`}`);
    return error.code;
  }
}

async function demo(implementer, scratch) {
  const env = environment(scratch);
  const repo = join(scratch, 'project');
  const run = join(scratch, 'run');
  heading('A repository with a failing test, and with work of yours in it');
  makeRepository(repo, env);
  show('git', ['status', '--short'], repo, env);
  const headBefore = git(repo, ['rev-parse', 'HEAD'], env);
  const before = runTests(repo, env);

  heading('The brief');
  for (const line of readFileSync(BRIEF, 'utf8').trimEnd().split('\n')) console.log(dim(`  ${line}`));

  heading(
    implementer === 'scripted' ? 'The dispatch' : `The dispatch: the real ${implementer}, a scripted model`,
  );
  const dispatched = await baton(dispatchArguments(implementer, repo, run), {
    ...env,
    BATON_SCRIPT: join(DEMO, 'fix.yaml'),
  });

  heading('The test again');
  const after = runTests(repo, env);

  heading('What this run changed, and nothing of what was there before');
  show('git', ['status', '--short'], repo, env);
  console.log();
  await baton(['diff', '--cd', repo], env);

  heading('The verdict');
  const proven = verdict({ run, repo, env, before, after, dispatched, headBefore });

  heading('The gate, run by baton, and what a reviewer looks at first');
  const passed = await baton(['check', '--cd', repo, '--gate', 'test=node --test'], env);
  console.log();
  const reviewed = await baton(['review', '--cd', repo], env);

  heading('You land it: this run, and not your own work beside it');
  const landed = await baton(['land', '--cd', repo, '-m', 'Fix the sign of subtract'], env);
  console.log();
  show('git', ['--no-pager', 'show', '--stat', '--format=%h %s%n%n%b', 'HEAD'], repo, env);
  show('git', ['status', '--short'], repo, env);

  const good = proven && passed && reviewed && landed && holdsOnlyTheFix(repo, env);
  console.log(good ? paint('green', '\nFixed, proven, landed.') : paint('red', '\nNot as it should be.'));

  heading('Where everything is');
  row('project', repo);
  for (const name of existsSync(run) ? readdirSync(run).sort() : []) {
    if (statSync(join(run, name)).isFile() && !name.startsWith('.')) row('artifact', join(run, name));
  }
  console.log(`\n${dim(`Remove it all with: rm -rf ${quoted(scratch)}`)}`);
  return good ? 0 : 1;
}

function scratchFolder() {
  try {
    return realpathSync(mkdtempSync(join(tmpdir(), 'baton-demo-')));
  } catch (error) {
    throw new Stopped(`there is no folder to play in: ${error.message}`);
  }
}

/**
 * What the user's git is told has no part in a demo: GIT_DIR, which a git hook and some editors set, would have it
 * commit to the user's own repository; and settings, keys, hooks and templates would show another demo to each user.
 * Nor has a test run of Node's around it, whose child reports to it and not to us.
 */
function environment(scratch) {
  const own = ([name]) => name !== 'NODE_TEST_CONTEXT' && !/^GIT_(?!EXEC_PATH$)/i.test(name);
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(own)),
    BATON_HOME: join(scratch, 'state'),
    GIT_PAGER: 'cat',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TEMPLATE_DIR: '',
    ...IDENTITY,
  };
}

function chosenImplementer() {
  try {
    const { values } = parseArgs({ options: { implementer: { type: 'string', default: 'scripted' } } });
    if (['scripted', 'claude', 'codex'].includes(values.implementer)) return values.implementer;
    throw new Error(
      `--implementer ${JSON.stringify(values.implementer)}: there is a demo with scripted, with claude and with codex`,
    );
  } catch (error) {
    console.error(`demo: ${error.message}`);
    process.exit(2);
  }
}

function dispatchArguments(implementer, repo, run) {
  const where = ['--brief', BRIEF, '--cd', repo, '--out-dir', run];
  return implementer === 'scripted'
    ? ['dispatch', '--implementer', 'scripted', ...where]
    : ['rehearse', '--implementer', implementer, '--script', join(DEMO, `${implementer}.yaml`), ...where];
}

/** The project of demo/project, committed, and then somebody's unfinished work: in another file, and in the same one. */
function makeRepository(repo, env) {
  cpSync(join(DEMO, 'project'), repo, { recursive: true });
  git(repo, ['init', '-q', '-b', 'main'], env);
  git(repo, ['add', '-A'], env);
  git(repo, ['commit', '-q', '-m', 'Start the demo project'], env);
  appendFileSync(join(repo, 'README.md'), '\nMy own notes, not committed yet.\n');
  appendFileSync(join(repo, 'math.js'), '\n// My own work, half done.\nexport function multiply() {}\n');
}

function git(repo, args, env) {
  const ran = spawnSync('git', args, { cwd: repo, env, encoding: 'utf8' });
  if (ran.status === 0) return ran.stdout.trim();
  if (ran.error?.code === 'ENOENT') throw new Stopped('there is no `git` on PATH: install it');
  if (ran.signal !== null) throw stoppedBy(ran.signal);
  throw new Stopped(`git ${args.join(' ')} failed: ${ran.error?.message ?? ran.stderr.trim()}`);
}

/** Runs the project's own tests, shows a line for each, and tells whether they passed. */
function runTests(repo, env) {
  const ran = spawnSync(process.execPath, ['--test', '--test-reporter=tap'], {
    cwd: repo,
    env,
    encoding: 'utf8',
  });
  console.log(dim('  $ npm test'));
  for (const [, not, name] of ran.stdout.matchAll(/^\s*(not )?ok \d+ - (\w+)$/gm)) {
    console.log(not ? paint('red', `  ✖ ${name}`) : paint('green', `  ✔ ${name}`));
  }
  return ran.status === 0;
}

/** Three facts, each from who knows it: how the process ended, what the agent claims, what baton saw. */
function verdict({ run, repo, env, before, after, dispatched, headBefore }) {
  const file = join(run, 'result.json');
  if (!existsSync(file)) {
    console.log(paint('red', 'There is no result.json: see the messages above.'));
    return false;
  }
  const { process: ended, agent, evidence, exitCode } = JSON.parse(readFileSync(file, 'utf8'));
  const changes = evidence.changes.map(({ path, added, deleted }) => `${path} (+${added} -${deleted})`);
  const violations = evidence.violations.map(({ kind, detail }) => `${kind}: ${detail}`);
  const untouched = git(repo, ['rev-parse', 'HEAD'], env) === headBefore;
  row('process', `ended by ${ended.exit}, exit code ${exitCode}`);
  row('claim', agent.claim + (agent.denials.length > 0 ? `, ${agent.denials.length} tool call refused` : ''));
  row('evidence', changes.length > 0 ? `changed ${changes.join(', ')}` : `tree ${evidence.tree}`);
  const { complete, gaps } = evidence.coverage;
  row('coverage', complete ? 'complete' : `incomplete: ${gaps.join('; ')}`);
  row('violations', violations.length > 0 ? violations.join('; ') : 'none');
  row('commits', untouched ? 'none: the implementer never commits' : 'HEAD moved');
  row('tests', `${before ? 'passed' : 'failed'} before, ${after ? 'pass' : 'fail'} now`);
  const proven = complete && evidence.changes.length === 1 && evidence.changes[0].path === 'math.js';
  return dispatched && !before && after && proven && untouched && violations.length === 0;
}

/** The commit has the one line, and both files still hold the work that was there before. */
function holdsOnlyTheFix(repo, env) {
  const lines = git(repo, ['show', '--format=', '--numstat', 'HEAD'], env);
  const dirty = git(repo, ['status', '--short'], env)
    .split('\n')
    .map((line) => line.trim());
  return lines === '1\t1\tmath.js' && dirty.join() === 'M README.md,M math.js';
}

function missing(name) {
  return new Stopped(`there is no \`${name}\` on PATH: install it (npm install -g ${NPM_PACKAGES[name]})`);
}

function isOnPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => isExecutable(join(folder, name)));
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Whether it succeeded. It is waited for also when the demo is asked to end: it ends what it has started. */
async function baton(args, env) {
  // A signal that came while git or a test ran is heard in the next turn.
  await nextTurn();
  if (interrupted) throw stoppedBy(interrupted);
  console.log(dim(`  $ baton ${args.map(quoted).join(' ')}\n`));
  running = spawn(process.execPath, [BATON, ...args], { env, stdio: 'inherit' });
  const [code, signal] = await once(running, 'close');
  running = null;
  if (interrupted ?? signal) throw stoppedBy(interrupted ?? signal);
  return code === 0;
}

function stoppedBy(signal) {
  return new Stopped(`interrupted by ${signal}`, 128 + system.signals[signal]);
}

/** A word as a shell takes it: TMPDIR may have a space in it, and a line with `rm -rf` will be pasted. */
function quoted(word) {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return /["$`\\!]/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : `"${word}"`;
}

function show(program, args, cwd, env) {
  console.log(dim(`  $ ${program} ${args.join(' ')}`));
  spawnSync(program, args, { cwd, env, stdio: 'inherit' });
}

function heading(text) {
  console.log(`\n${paint('bold', text)}\n`);
}

function row(name, text) {
  console.log(`  ${dim(name.padEnd(11))}${text}`);
}

function dim(text) {
  return paint('dim', text);
}

function paint(style, text) {
  return COLOUR ? styleText(style, text) : text;
}
