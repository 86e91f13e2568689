import type { SandboxMode } from '../rundir/result.ts';

/** A model name: no white space, nothing that a shell takes for something else, and no leading `-`. */
export const MODEL_FORM = /^[A-Za-z0-9][A-Za-z0-9._:@/[\]-]*$/;

/** What `MODEL_FORM` takes, for a person. */
export const MODEL_RULE =
  'a model name of letters, digits and . _ : @ / [ ] -, beginning with a letter or digit';

/** An effort where the implementer has no fixed levels. */
export const EFFORT_FORM = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** What `EFFORT_FORM` takes, for a person. */
export const EFFORT_RULE = 'a bare word';

/** The modes of a sandbox that is asked for by its own name. */
export const SANDBOX_MODES = [
  'read-only',
  'workspace-write',
  'danger-full-access',
] as const satisfies readonly SandboxMode[];
