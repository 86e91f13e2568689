import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Env } from '../src/core/environment.ts';
import type { Result } from '../src/rundir/result.ts';
import { checkModelScript } from '../src/scripted-model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../src/scripted-model/server.ts';
import {
  type Dispatched,
  dispatch,
  resultOf,
  type StartedDispatch,
  startDispatch,
} from '../test/support/baton.ts';
import { type Surroundings, surroundings } from '../test/support/environment.ts';
import { PROJECT } from '../test/support/project.ts';
import { type Fingerprint, makeRepository, type TestRepository } from '../test/support/repository.ts';

/** Holds `claude` and `codex`, and nothing else. */
export const CLIS = join(PROJECT, 'conformance', 'node_modules', '.clis');

/** A world in which the real CLIs are on PATH, with an empty home, and a repository to work in. */
export interface RealWorld extends Surroundings {
  repository: TestRepository;
  /** More lines for codex's own settings, before any table. */
  codexSettings?: string;
}

export function realWorld(extra: Env = {}): RealWorld {
  if (!existsSync(join(CLIS, 'claude'))) throw new Error('no real CLIs: run `node conformance/setup.mjs`');
  const where = surroundings(extra);
  const dir = join(where.root, 'repo');
  mkdirSync(dir);
  where.env['PATH'] = `${CLIS}:${where.env['PATH'] ?? ''}`;
  return { ...where, repository: makeRepository({ dir, files: { 'one.txt': 'one\n' } }) };
}

/**
 * Git's own files, byte for byte, without the two empty ones that the CLI makes in a git directory at every start so
 * that its sandbox can protect them.
 */
export function gitFiles(repository: TestRepository): Fingerprint {
  return Object.fromEntries(
    Object.entries(repository.fingerprint()).filter(([path]) => !isPlaceholder(path)),
  );
}

function isPlaceholder(path: string): boolean {
  const names = ['config.worktree', 'objects/info/alternates'];
  return names.some((name) => path.endsWith(name)) && statSync(path).size === 0;
}

/** Writes settings as a user would have them in `~/.claude/settings.json`. */
export function userSettings(world: RealWorld, settings: object): void {
  writeJson(join(world.home, '.claude', 'settings.json'), settings);
}

/** Writes settings of the project. */
export function projectSettings(world: RealWorld, settings: object): void {
  writeJson(join(world.repository.dir, '.claude', 'settings.json'), settings);
}

function writeJson(path: string, value: object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value));
}

export interface RealOptions {
  /** Default: claude. */
  implementer?: 'claude' | 'codex';
  flags?: readonly string[];
  outDir?: string;
  cd?: string;
  env?: Env;
}

/** A finished run of the real CLI, with all that it asked of the model. */
export interface RealRun extends Omit<Dispatched, 'result'> {
  result: Result;
  model: ScriptedModel;
}

/** Runs `baton dispatch --json` with the real CLI and a model that plays these steps. */
export async function dispatchReal(
  world: RealWorld,
  steps: readonly object[],
  options: RealOptions = {},
): Promise<RealRun> {
  const { model, call } = await prepare(world, steps, options);
  const run = await dispatch(world, call);
  return { ...run, result: resultOf(run), model };
}

/** The same, under way. */
export async function startReal(
  world: RealWorld,
  steps: readonly object[],
  options: RealOptions = {},
): Promise<StartedDispatch & { model: ScriptedModel }> {
  const { model, call } = await prepare(world, steps, options);
  return { ...(await startDispatch(world, call)), model };
}

async function prepare(
  world: RealWorld,
  steps: readonly object[],
  { implementer = 'claude', flags = [], outDir, cd, env = {} }: RealOptions,
) {
  const workdir = cd ?? world.repository.dir;
  const model = await startScriptedModel({ steps: checkModelScript(steps), cwd: workdir });
  onTestFinished(() => model.close());
  return {
    model,
    call: {
      cd: workdir,
      args: ['--json', '--implementer', implementer, ...flags],
      env: {
        ...world.env,
        ...(implementer === 'claude'
          ? claudeEnvironment(model.url)
          : codexEnvironment(join(world.root, 'codex'), model.url, world.codexSettings)),
        ...env,
      },
      ...(outDir === undefined ? {} : { outDir }),
    },
  };
}

/** What turns the real claude to a model on loopback, and keeps it quiet. Never a real key, never a real service. */
export function claudeEnvironment(url: string): Env {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'any',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_MAX_RETRIES: '2',
  };
}

/**
 * What turns the real codex to a model on loopback. Its home must not lie below the temp folder, where it would
 * complain. `settings` are added to the file that this writes.
 */
export function codexEnvironment(home: string, url: string, settings = ''): Env {
  mkdirSync(home, { recursive: true });
  writeFileSync(
    join(home, 'config.toml'),
    `model_provider = "scripted"
${settings}
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 1
stream_max_retries = 1
`,
  );
  return { CODEX_HOME: home, SCRIPTED_KEY: 'any' };
}
