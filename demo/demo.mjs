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

import { spawnSync } from 'node:child_process';
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
import { devNull, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, styleText } from 'node:util';

const DEMO = dirname(fileURLToPath(import.meta.url));
const BATON = join(dirname(DEMO), 'bin', 'baton.js');
const BRIEF = join(DEMO, 'brief.md');
const COLOUR = process.stdout.isTTY && !process.env.NO_COLOR;

const NPM_PACKAGES = { claude: '@anthropic-ai/claude-code', codex: '@openai/codex' };

/** Of the commit that the demo lands. */
const IDENTITY = {
  GIT_AUTHOR_NAME: 'Demo',
  GIT_AUTHOR_EMAIL: 'demo@localhost',
  GIT_COMMITTER_NAME: 'Demo',
  GIT_COMMITTER_EMAIL: 'demo@localhost',
  GIT_CONFIG_GLOBAL: devNull,
};

process.exitCode = demo(chosenImplementer());

/** @param {'scripted' | 'claude' | 'codex'} implementer */
function demo(implementer) {
  if (implementer !== 'scripted' && !isOnPath(implementer)) return missing(implementer);
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'baton-demo-')));
  const env = { ...process.env, BATON_HOME: join(scratch, 'state'), GIT_PAGER: 'cat' };

  const repo = join(scratch, 'project');
  const run = join(scratch, 'run');
  heading('A repository with a failing test, and with work of yours in it');
  makeRepository(repo);
  show('git', ['status', '--short'], repo, env);
  const headBefore = git(repo, ['rev-parse', 'HEAD']);
  const before = runTests(repo);

  heading('The brief');
  for (const line of readFileSync(BRIEF, 'utf8').trimEnd().split('\n')) console.log(dim(`  ${line}`));

  heading(
    implementer === 'scripted' ? 'The dispatch' : `The dispatch: the real ${implementer}, a scripted model`,
  );
  const dispatched = baton(dispatchArguments(implementer, repo, run), {
    ...env,
    BATON_SCRIPT: join(DEMO, 'fix.yaml'),
  });

  heading('The test again');
  const after = runTests(repo);

  heading('What this run changed, and nothing of what was there before');
  show('git', ['status', '--short'], repo, env);
  console.log();
  baton(['diff', '--cd', repo], env);

  heading('The verdict');
  const proven = verdict({ run, repo, before, after, dispatched, headBefore });

  heading('The gate, run by baton, and what a reviewer looks at first');
  const passed = baton(['check', '--cd', repo, '--gate', 'test=node --test'], env);
  console.log();
  const reviewed = baton(['review', '--cd', repo], env);

  heading('You land it: this run, and not your own work beside it');
  const landed = baton(['land', '--cd', repo, '-m', 'Fix the sign of subtract'], { ...env, ...IDENTITY });
  console.log();
  show('git', ['--no-pager', 'show', '--stat', '--format=%h %s%n%n%b', 'HEAD'], repo, env);
  show('git', ['status', '--short'], repo, env);

  const good = proven && passed && reviewed && landed && holdsOnlyTheFix(repo);
  console.log(good ? paint('green', '\nFixed, proven, landed.') : paint('red', '\nNot as it should be.'));

  heading('Where everything is');
  row('project', repo);
  for (const name of existsSync(run) ? readdirSync(run).sort() : []) {
    if (statSync(join(run, name)).isFile() && !name.startsWith('.')) row('artifact', join(run, name));
  }
  console.log(`\n${dim(`Remove it all with: rm -rf ${scratch}`)}`);
  return good ? 0 : 1;
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
function makeRepository(repo) {
  cpSync(join(DEMO, 'project'), repo, { recursive: true });
  git(repo, ['init', '-q', '-b', 'main']);
  git(repo, ['add', '-A']);
  git(repo, ['commit', '-q', '-m', 'Start the demo project']);
  appendFileSync(join(repo, 'README.md'), '\nMy own notes, not committed yet.\n');
  appendFileSync(join(repo, 'math.js'), '\n// My own work, half done.\nexport function multiply() {}\n');
}

/** The user's own signing keys, hooks and templates have no part in a demo. */
function git(repo, args) {
  const settings = [
    'user.name=Demo',
    'user.email=demo@localhost',
    'commit.gpgsign=false',
    'core.hooksPath=/dev/null',
  ];
  const ran = spawnSync('git', [...settings.flatMap((one) => ['-c', one]), ...args], {
    cwd: repo,
    encoding: 'utf8',
  });
  if (ran.status === 0) return ran.stdout.trim();
  throw new Error(`git ${args.join(' ')}: ${ran.error?.message ?? ran.stderr}`);
}

/** Runs the project's own tests, shows a line for each, and tells whether they passed. */
function runTests(repo) {
  const ran = spawnSync(process.execPath, ['--test', '--test-reporter=tap'], { cwd: repo, encoding: 'utf8' });
  console.log(dim('  $ npm test'));
  for (const [, not, name] of ran.stdout.matchAll(/^\s*(not )?ok \d+ - (\w+)$/gm)) {
    console.log(not ? paint('red', `  ✖ ${name}`) : paint('green', `  ✔ ${name}`));
  }
  return ran.status === 0;
}

/** Three facts, each from who knows it: how the process ended, what the agent claims, what baton saw. */
function verdict({ run, repo, before, after, dispatched, headBefore }) {
  const file = join(run, 'result.json');
  if (!existsSync(file)) {
    console.log(paint('red', 'There is no result.json: see the messages above.'));
    return false;
  }
  const { process: ended, agent, evidence, exitCode } = JSON.parse(readFileSync(file, 'utf8'));
  const changes = evidence.changes.map(({ path, added, deleted }) => `${path} (+${added} -${deleted})`);
  const violations = evidence.violations.map(({ kind, detail }) => `${kind}: ${detail}`);
  const untouched = git(repo, ['rev-parse', 'HEAD']) === headBefore;
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
function holdsOnlyTheFix(repo) {
  const lines = git(repo, ['show', '--format=', '--numstat', 'HEAD']);
  const dirty = git(repo, ['status', '--short'])
    .split('\n')
    .map((line) => line.trim());
  return lines === '1\t1\tmath.js' && dirty.join() === 'M README.md,M math.js';
}

function missing(name) {
  console.error(`demo: there is no \`${name}\` on PATH: install it (npm install -g ${NPM_PACKAGES[name]})`);
  return 1;
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

function baton(args, env) {
  const words = args.map((arg) => (/\s/.test(arg) ? JSON.stringify(arg) : arg));
  console.log(dim(`  $ baton ${words.join(' ')}\n`));
  return spawnSync(process.execPath, [BATON, ...args], { env, stdio: 'inherit' }).status === 0;
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
