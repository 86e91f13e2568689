/**
 * What went wrong, for a person and for a program.
 *
 * `code` is stable and machine-readable, `message` names the value and the rule, `hint` is the way out:
 * where there is a command that mends it, the hint is that command.
 */
export class BatonError extends Error {
  override readonly name: string = 'BatonError';
  readonly code: string;
  readonly hint: string | undefined;

  constructor(code: string, message: string, options: { hint?: string | undefined; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
  }
}

/** The caller asked for something that cannot be: exit 2, and nothing was made on disk. */
export class UsageError extends BatonError {
  override readonly name = 'UsageError';

  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super('usage', message, options);
  }
}

/** The `code` of a Node system error (`ENOENT`, `EPERM` ...), or undefined for anything else. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
