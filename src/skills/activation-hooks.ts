/** The one script that all hooks start. It lies in the target's folder of hooks. */
export const ACTIVATION_SCRIPT = 'baton-activation.cjs';

/** Before a hook's name in the command that starts it: by this a hook is known to be ours. */
export const HOOK_MARKER = 'baton-hook:';

/** A hook of an agent product that tells its model which skills to read. */
export interface ActivationHook {
  name: 'skill-activation' | 'edit-tracker';
  /** When the product starts it, in the words that claude and codex share. */
  event: 'UserPromptSubmit' | 'PostToolUse';
  /** The tools after which it is started (a regular expression). Codex counts `apply_patch` as each of them. */
  matcher?: string;
  /** After so many seconds the product goes on without it. */
  timeout: number;
}

/** The hooks to install: at each prompt the skills it calls for, after each edit those of the edited files. */
export const ACTIVATION_HOOKS: readonly ActivationHook[] = [
  { name: 'skill-activation', event: 'UserPromptSubmit', timeout: 5 },
  { name: 'edit-tracker', event: 'PostToolUse', matcher: 'Edit|MultiEdit|Write|NotebookEdit', timeout: 5 },
];
