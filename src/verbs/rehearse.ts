import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyEnv, DEPTH_MARKER, type Env, readVariable, RUN_MARKER } from '../core/environment.ts';
import { UsageError } from '../core/errors.ts';
import { stateHome } from '../core/state-home.ts';
import { dispatch } from '../dispatch/dispatch.ts';
import { withLaneFound } from '../dispatch/lane.ts';
import type { DispatchOptions } from '../dispatch/options.ts';
import type { Result } from '../rundir/result.ts';
import { readModelScript } from '../scripted-model/script.ts';
import { startScriptedModel } from '../scripted-model/server.ts';

export interface RehearseOptions extends DispatchOptions {
  /** A file with the steps of the model, YAML or JSON. */
  script: string;
}

/**
 * The ordinary dispatch, with the real CLI and a model that plays a script on loopback: what its sandbox, its settings
 * and its permissions do with a given action, at no cost and without an account.
 *
 * The run gets a home and an environment made from nothing, so that no key, session or setting of the user's is used or
 * changed. Rejects with a UsageError for a script or an option that cannot be played.
 */
export async function rehearse({ script, ...asked }: RehearseOptions): Promise<Result> {
  // Looked up here: in the home that the run gets there are no lanes.
  const options = await withLaneFound(asked);
  const furnish = furnisherOf({ ...options, implementer: options.implementer ?? options.lane?.implementer });
  const steps = await readModelScript(script);
  const cwd = options.cd ?? process.cwd();
  const home = await mkdtemp(join(await realpath(tmpdir()), 'baton-rehearsal-'));
  try {
    const model = await startScriptedModel({ steps, cwd: await realpath(cwd).catch(() => cwd) });
    try {
      const env = {
        ...bareEnvironment(options.env ?? copyEnv(process.env), home),
        ...(await furnish(home, model.url)),
      };
      // The home goes with the run, and the session with the home: nobody may be sent back to it.
      return await dispatch({ ...options, env, unrecorded: true });
    } finally {
      await model.close();
    }
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Refuses what cannot be rehearsed. */
function furnisherOf({
  implementer = 'claude',
  session,
  resumeLast,
}: Pick<DispatchOptions, 'session' | 'resumeLast'> & { implementer: string | undefined }): Furnisher {
  const furnish = Object.hasOwn(FURNISHERS, implementer) ? FURNISHERS[implementer] : undefined;
  if (!furnish) {
    const real = Object.keys(FURNISHERS).join(' and ');
    throw new UsageError(`--implementer ${JSON.stringify(implementer)} cannot be rehearsed: ${real} can`);
  }
  if (session !== undefined || resumeLast) {
    throw new UsageError('a rehearsal begins with an empty home: there is no session to go on with');
  }
  return furnish;
}

/** Turns a CLI with this empty home to the scripted model. Returns the variables that it takes. */
type Furnisher = (home: string, url: string) => Env | Promise<Env>;

const FURNISHERS: { [implementer: string]: Furnisher } = {
  claude: (_, url) => ({
    ANTHROPIC_BASE_URL: url,
    // Any will do: the endpoint does not look at it.
    ANTHROPIC_API_KEY: 'rehearsal',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    // Ten tries with growing pauses would make an error step last for minutes.
    CLAUDE_CODE_MAX_RETRIES: '2',
  }),

  codex: async (home, url) => {
    const folder = join(home, '.codex');
    await mkdir(folder);
    const settings = `model_provider = "rehearsal"

[model_providers.rehearsal]
name = "rehearsal"
base_url = "${url}/v1"
wire_api = "responses"
request_max_retries = 2
stream_max_retries = 2
`;
    await writeFile(join(folder, 'config.toml'), settings);
    return { CODEX_HOME: folder };
  },
};

/** What a program needs to run at all, and where baton keeps its runs. Nothing else of the user's is passed on. */
const KEPT = [
  'PATH',
  'LANG',
  'LC_ALL',
  'TMPDIR',
  'TEMP',
  'TMP',
  'PATHEXT',
  'SYSTEMROOT',
  'COMSPEC',
  'IS_SANDBOX',
];

/** Depth and run marker stay as well: inside a run, a rehearsal is refused like any dispatch. */
const MARKERS = [RUN_MARKER, DEPTH_MARKER];

function bareEnvironment(env: Env, home: string): Env {
  const kept: Env = {};
  for (const name of [...KEPT, ...MARKERS]) {
    const value = readVariable(env, name);
    if (value !== undefined) kept[name] = value;
  }
  return {
    ...kept,
    HOME: home,
    ...(process.platform === 'win32' ? { USERPROFILE: home } : {}),
    BATON_HOME: stateHome(env),
  };
}
