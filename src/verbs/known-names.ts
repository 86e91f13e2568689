import type { Env } from '../core/environment.ts';
import { stringOf } from '../core/json.ts';

/** What there are names of. */
export type NameKind =
  | 'runs'
  | 'lanes'
  | 'usable-lanes'
  | 'gates'
  | 'prompts'
  | 'implementers'
  | 'implementer-keys'
  | 'targets'
  | 'brief-kinds'
  | 'sandboxes'
  | 'efforts'
  | 'dials';

/** A name that a command takes, and a few words about it; they may be any text from a file. */
export interface KnownName {
  name: string;
  about: string;
}

/** Where names are looked up, and what is known of the use that they are for. */
export interface NamePlace {
  /** A directory of the repository. */
  cd: string;
  env: Env;
  /** Only what fits to this implementer; null is any. */
  implementer: string | null;
  /** `--prompts`; null for the user's configuration folder. */
  prompts: string | null;
}

/** More are no help to anybody who looks for one. */
const MAX_RUNS = 50;

/**
 * The names of a kind that can be used here, in the order in which they are best shown. Rejects where they cannot be
 * read. Each kind loads what it needs and nothing else: a person waits for it at a key.
 */
export async function knownNames(kind: NameKind, place: NamePlace): Promise<KnownName[]> {
  return NAMES[kind](place);
}

const NAMES: { readonly [kind in NameKind]: (place: NamePlace) => Promise<KnownName[]> } = {
  runs,
  lanes: (place) => lanes(place, false),
  'usable-lanes': (place) => lanes(place, true),
  gates,
  prompts,
  implementers: async () => plain((await import('../implementers/registry.ts')).implementerIds()),
  'implementer-keys': async () => plain((await import('../lanes/lane.ts')).IMPLEMENTER_KEYS),
  targets: async () => plain([...(await import('../targets/target.ts')).TARGET_IDS, 'all']),
  'brief-kinds': async () => plain(Object.keys((await import('../briefs/kinds.ts')).BRIEF_KINDS)),
  sandboxes: async () => plain((await import('../implementers/dial-forms.ts')).SANDBOX_MODES),
  efforts,
  dials: async () => plain((await import('../lanes/lane.ts')).DIAL_NAMES),
};

function plain(names: readonly string[]): KnownName[] {
  return names.map((name) => ({ name, about: '' }));
}

/** The newest first. */
async function runs({ cd, env }: NamePlace): Promise<KnownName[]> {
  const { treeAt } = await import('./run-at.ts');
  const { listRuns } = await import('../rundir/runs.ts');
  const { stateHome } = await import('../core/state-home.ts');
  const { treeTop } = await treeAt({ cd, env });
  const newest = listRuns({ stateHome: stateHome(env), treeTop }).slice(0, MAX_RUNS);
  return Promise.all(newest.map(async ({ id, path }) => ({ name: id, about: await aboutRun(path) })));
}

async function aboutRun(path: string): Promise<string> {
  const { artifactPath } = await import('../rundir/layout.ts');
  const { readRecord } = await import('../rundir/state-folder.ts');
  const { liveness } = await import('../rundir/live.ts');
  const result = readRecord(artifactPath(path, 'result'));
  const words = [stringOf(result?.['status']) ?? liveness(path), stringOf(result?.['implementer'])];
  return words.filter((word) => word !== null).join(', ');
}

async function lanes({ cd, env, implementer }: NamePlace, usable: boolean): Promise<KnownName[]> {
  const { fleetAt } = await import('./lanes.ts');
  const { listLanes } = await import('../lanes/resolve.ts');
  const { DIAL_NAMES } = await import('../lanes/lane.ts');
  const listed = listLanes(await fleetAt({ cd, env }));
  const fitting = usable
    ? listed.filter(
        (lane) => lane.state === 'usable' && (implementer === null || lane.implementer === implementer),
      )
    : listed;
  const byName = new Map(
    fitting.map((lane) => {
      const dials = DIAL_NAMES.flatMap((dial) => {
        const value = lane.dials?.[dial];
        return value === undefined ? [] : `${dial} ${value}`;
      });
      return [lane.name, [lane.implementer ?? 'broken', ...dials].join(', ')] as const;
    }),
  );
  return [...byName].map(([name, about]) => ({ name, about }));
}

async function gates({ cd, env }: NamePlace): Promise<KnownName[]> {
  const { listGates } = await import('./gates.ts');
  const config = await listGates({ cd, env, run: null });
  return (config?.gates ?? []).map(({ name, command }) => ({ name, about: command }));
}

async function prompts({ cd, env, prompts: dir }: NamePlace): Promise<KnownName[]> {
  const { listPrompts } = await import('./prompts.ts');
  const list = await listPrompts({ cd, env, dir });
  return list.prompts
    .filter(({ kind }) => kind === 'prompt')
    .map(({ name, values }) => ({ name, about: values.join(', ') }));
}

/** The levels of the implementer; none where it takes any word. */
async function efforts({ implementer, env }: NamePlace): Promise<KnownName[]> {
  const { findImplementer } = await import('../implementers/registry.ts');
  const levels = findImplementer(implementer ?? 'claude', env)?.capabilities.effort;
  return plain(typeof levels === 'object' ? levels : []);
}
