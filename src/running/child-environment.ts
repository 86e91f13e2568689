import {
  DEPTH_MARKER,
  GIT_LOCAL_VARIABLES,
  RUN_MARKER,
  withoutVariables,
  type Env,
} from '../core/environment.ts';

/**
 * The implementer's environment: the caller's, less what ties it to another agent session or another repository.
 * Everything else stays, credentials among it: a blanket removal of `CLAUDE_CODE_*` would sign people out.
 */
export function childEnvironment(env: Env, runId: string, platform: NodeJS.Platform = process.platform): Env {
  return {
    ...withoutVariables(env, ['CLAUDECODE', ...GIT_LOCAL_VARIABLES], platform),
    [RUN_MARKER]: runId,
    [DEPTH_MARKER]: '1',
  };
}
