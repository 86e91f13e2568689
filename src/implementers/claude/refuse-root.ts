import type { Refusal, RefusalRequest } from '../implementer.ts';

/**
 * The CLI refuses to skip permissions as root, in one line on stderr after the start. `IS_SANDBOX` tells it that root is
 * harmless here: for the user to say, never for us.
 */
export function refuseRoot({ profile, env, platform, uid }: RefusalRequest): Refusal | null {
  if (profile !== 'bypass' || uid !== 0 || platform === 'win32') return null;
  if (env['IS_SANDBOX'] === '1' || env['CLAUDE_CODE_BUBBLEWRAP']) return null;
  return {
    message: '--dangerously-skip-permissions: claude refuses this as root (uid 0)',
    hint: 'run as another user; or, in a throw-away container, set IS_SANDBOX=1 yourself to tell claude so',
  };
}
