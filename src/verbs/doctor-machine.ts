import { readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parse } from 'node:path';
import { DEPTH_MARKER, type Env, readVariable } from '../core/environment.ts';
import { configHome } from '../core/config-home.ts';
import { messageOf, systemCode } from '../core/errors.ts';
import { shellWord } from '../core/shell-word.ts';
import { truncate } from '../core/text.ts';
import { answerOf, cleanGitEnv } from '../git/trusted.ts';
import { shippedSources } from '../prompts/source.ts';
import { type Examined, fine, problem, warning } from './doctor-check.ts';
import { leftovers } from './doctor-leftovers.ts';
import { stateFolder } from './doctor-state.ts';

/** `--no-optional-locks`: without it, looking at a tree may write to it. */
const GIT_MINIMUM = [2, 15];
/** `git hook run`. */
const GIT_FOR_HOOKS = [2, 36];
const NODE_MINIMUM = [20, 19];

/** What a dispatch needs of this machine, whoever the implementer is and wherever it works. */
export async function machineChecks(env: Env, workdir: string, limitMs: number): Promise<Examined[]> {
  return [
    ...insideRun(env),
    node(process.versions.node),
    await git(env, workdir, limitMs),
    ...stateFolder(env),
    ...ownSettings(env),
    ...prompts(),
    ...leftovers(env, tmpdir()),
  ];
}

function insideRun(env: Env): Examined[] {
  const depth = readVariable(env, DEPTH_MARKER);
  if (depth === undefined || depth === '0') return [];
  const text = `this is itself inside a baton run (${DEPTH_MARKER}=${depth}): an implementer cannot dispatch another one`;
  return [problem('inside-a-run', text, 'let the orchestrator dispatch it')];
}

function node(version: string): Examined {
  return atLeast(version, NODE_MINIMUM)
    ? fine('node', `Node ${version}`)
    : problem(
        'node',
        `Node ${version} is too old: 20.19 is the oldest that baton runs on`,
        'install Node 20.19 or newer',
      );
}

async function git(env: Env, workdir: string, timeoutMs: number): Promise<Examined> {
  const install = 'install git 2.36 or newer';
  try {
    const { stdout } = await answerOf('--version', {
      file: 'git',
      args: ['--version'],
      cwd: parse(workdir).root,
      env: cleanGitEnv(env, workdir),
      timeoutMs,
      maxBytes: 64 * 1024,
    });
    const said = stdout.toString('utf8').trim();
    const version = /\d+(?:\.\d+)+/.exec(said)?.[0];
    if (version === undefined)
      return warning(
        'git',
        `git answers, but its version cannot be read: ${truncate(said, 100)}`,
        'git --version',
      );
    if (!atLeast(version, GIT_MINIMUM))
      return problem('git', `git ${version} is too old to look at a tree without writing to it`, install);
    return atLeast(version, GIT_FOR_HOOKS)
      ? fine('git', `git ${version}`)
      : warning(
          'git',
          `git ${version} cannot run hooks for baton: where a repository has some, landing needs 2.36`,
          install,
        );
  } catch (error) {
    return problem('git', messageOf(error), install);
  }
}

/** Whether a version such as `2.39.5` is that of `[2, 36]`, or newer. */
function atLeast(version: string, [major = 0, minor = 0]: readonly number[]): boolean {
  const [own = 0, ownMinor = 0] = version.split('.').map(Number);
  return own > major || (own === major && ownMinor >= minor);
}

/** The user's own prompts and the like. Most have none, and need none. */
function ownSettings(env: Env): Examined[] {
  const folder = configHome(env);
  try {
    if (!statSync(folder).isDirectory())
      return [
        warning(
          'settings',
          `${folder} is no folder: your own prompts are not found`,
          `ls -ld ${shellWord(folder)}`,
        ),
      ];
    readdirSync(folder);
    return [fine('settings', `your own prompts and settings: ${folder}`)];
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    return [
      warning(
        'settings',
        `${folder} cannot be read: ${messageOf(error)}`,
        `chmod u+rwx ${shellWord(folder)}`,
      ),
    ];
  }
}

function prompts(): Examined[] {
  const sources = shippedSources();
  if (sources.some((source) => source.files().length > 0)) return [];
  return [
    warning(
      'prompts',
      "baton's own prompts are not there: it was installed in part",
      'npm install -g baton-relay',
    ),
  ];
}
