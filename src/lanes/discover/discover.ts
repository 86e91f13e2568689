import { inEmptyFolder } from '../../implementers/empty-folder.ts';
import { type Executable, inspectExecutable } from '../../implementers/executable.ts';
import { executableCheck } from '../../implementers/executable-check.ts';
import { type Check, type InspectRequest, type Models, NO_MODELS } from '../../implementers/inspection.ts';
import { type DialName, dialsOf, drivenBy, IMPLEMENTER_KEYS } from '../lane.ts';
import { binaryOf } from './binary.ts';

export const DISCOVERY_VERSION = 'delegate-discover.v1';

/** The agent CLIs of this machine, in the order of the fleet format's keys. */
export interface Discovery {
  version: typeof DISCOVERY_VERSION;
  discovered: FoundCli[];
  missing: MissingCli[];
}

/** A CLI that lies on PATH and can be executed, whatever it then does. */
export interface FoundCli {
  key: string;
  binary: string;
  /** The line that it prints; null where it is not `ready`. */
  version: string | null;
  path: string;
  /** Null where it is not known, or nobody asked: baton knows how to ask those that it drives. */
  authenticated: boolean | null;
  /** The dials that baton can set; none where it does not drive this CLI. */
  supports: DialName[];
  models: Models;
  /** Whether `baton dispatch` can use it. */
  driven: boolean;
  state: Exclude<Executable['state'], MissingCli['state']>;
  /** In words, where it is not `ready`; else null. */
  note: string | null;
  /** What mends it, where something has to be. */
  remedy: string | null;
}

export interface MissingCli {
  key: string;
  binary: string;
  state: 'not-installed' | 'broken-link' | 'not-executable';
  note: string;
  remedy: string | null;
}

/** Asks every CLI that the fleet format knows, side by side. Costs no model call. Rejects where no temporary folder can be made. */
export async function discoverClis(request: InspectRequest): Promise<Discovery> {
  const clis = await Promise.all(IMPLEMENTER_KEYS.map((key) => look(key, request)));
  return {
    version: DISCOVERY_VERSION,
    discovered: clis.flatMap((cli) => ('path' in cli ? cli : [])),
    missing: clis.flatMap((cli) => ('path' in cli ? [] : cli)),
  };
}

async function look(key: string, request: InspectRequest): Promise<FoundCli | MissingCli> {
  const binary = binaryOf(key, request.platform);
  const implementer = drivenBy(key);
  if (implementer) {
    const { executable, authenticated, models, checks } = await implementer.inspect(request);
    return describe({ key, binary, driven: true }, executable, { authenticated, models }, checks[0]);
  }
  // What such a name starts is not known: it may do anything, so it does it in an empty folder.
  const executable = await inEmptyFolder((cwd) => inspectExecutable(binary, { ...request, cwd }));
  const unknown = { authenticated: null, models: NO_MODELS };
  return describe(
    { key, binary, driven: false },
    executable,
    unknown,
    executableCheck(executable, { name: binary, install: null }),
  );
}

function describe(
  cli: Pick<FoundCli, 'key' | 'binary' | 'driven'>,
  executable: Executable,
  known: Pick<FoundCli, 'authenticated' | 'models'>,
  check: Check | undefined,
): FoundCli | MissingCli {
  const { key, binary, driven } = cli;
  const { state } = executable;
  const note = check?.text ?? null;
  const remedy = check?.remedy ?? null;
  if (state === 'not-installed' || state === 'broken-link' || state === 'not-executable')
    return { key, binary, state, note: note ?? state, remedy };
  return {
    key,
    binary,
    version: state === 'ready' ? executable.version : null,
    path: executable.path,
    authenticated: known.authenticated,
    supports: driven ? [...dialsOf(key)] : [],
    models: known.models,
    driven,
    state,
    note: state === 'ready' ? null : note,
    remedy,
  };
}
