import type { FalseStart } from '../implementer.ts';

/** What codex prints on stderr when it leaves before its first record. */
export function codexFalseStart(stderr: readonly string[]): FalseStart | null {
  const line = (form: RegExp): string | undefined => stderr.find((one) => form.test(one));
  const unknown = line(/no rollout found|thread\/resume failed|no saved session found/i);
  if (unknown !== undefined)
    return { reason: 'session-not-found', retryable: false, text: unknown.replace(/^Error: /, '') };
  if (line(/^Not inside a trusted directory/) === undefined) return null;
  return {
    reason: null,
    retryable: false,
    text: 'codex works only in a git repository or a trusted directory: pass --skip-git-repo-check to let it work here',
  };
}
