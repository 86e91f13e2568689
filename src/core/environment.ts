/** Environment variables by name. */
export type Env = { [name: string]: string };

/** Names the run's processes everywhere: baton finds the ones it must end by it. */
export const RUN_MARKER = 'BATON_RUN_ID';
/** How many dispatches deep this process is: a run inside a run is refused. */
export const DEPTH_MARKER = 'BATON_DEPTH';

/** What `git rev-parse --local-env-vars` lists: they tie a process to one repository, and would tie the implementer to the wrong one. */
export const GIT_LOCAL_VARIABLES: readonly string[] = [
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_CONFIG',
  'GIT_CONFIG_PARAMETERS',
  'GIT_CONFIG_COUNT',
  'GIT_OBJECT_DIRECTORY',
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_GRAFT_FILE',
  'GIT_INDEX_FILE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_REPLACE_REF_BASE',
  'GIT_PREFIX',
  'GIT_SHALLOW_FILE',
  'GIT_COMMON_DIR',
  'GIT_INTERNAL_SUPER_PREFIX',
];

/** `process.env` without undefined values, as a plain copy. */
export function copyEnv(env: NodeJS.ProcessEnv): Env {
  const copy: Env = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined) copy[name] = value;
  return copy;
}

/** A copy without the named variables; names are compared without case where the platform does so. */
export function withoutVariables(
  env: Env,
  names: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Env {
  const fold = (name: string): string => (platform === 'win32' ? name.toUpperCase() : name);
  const dropped = new Set(names.map(fold));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !dropped.has(fold(name))));
}

/** Reads a variable; on Windows its case does not matter. */
export function readVariable(
  env: Env,
  name: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (platform !== 'win32' || env[name] !== undefined) return env[name];
  const upper = name.toUpperCase();
  return Object.entries(env).find(([key]) => key.toUpperCase() === upper)?.[1];
}
