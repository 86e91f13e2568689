import { BatonError } from '../core/errors.ts';
import { ConflictError } from '../landing/conflict-error.ts';
import type { HookRun } from '../landing/hooks.ts';
import type { Recovery } from '../landing/recover.ts';
import type { ExitCode, Io } from './io.ts';
import { visible } from './summary.ts';

/**
 * Does it, and prints the answer as JSON or as text. A refusal is exit 1: with `--json` it is on stdout as well, with
 * what is in conflict named one by one.
 */
export async function answer<T>(
  io: Io,
  json: boolean,
  work: () => Promise<T>,
  text: (value: T) => string,
): Promise<ExitCode> {
  try {
    const value = await work();
    io.stdout.write(json ? `${JSON.stringify(value)}\n` : text(value));
    return 0;
  } catch (error) {
    if (json && error instanceof BatonError && error.code !== 'usage') {
      const { code, message, hint } = error;
      const conflicts = error instanceof ConflictError ? { conflicts: error.conflicts } : {};
      io.stdout.write(`${JSON.stringify({ error: { code, message, hint: hint ?? null, ...conflicts } })}\n`);
    }
    throw error;
  }
}

/** Says at once what was made of an interrupted landing: the command itself may be refused after that. */
export function tellRecovery(io: Io): (recovery: Recovery) => void {
  return ({ kind, runIds, outcome, restored, left, copies }) => {
    const did = outcome === 'completed' ? 'was completed now' : 'was taken back: nothing of it is left';
    const said = [
      `an interrupted ${kind} of run ${runIds.at(-1)} ${did}`,
      ...(restored.length > 0 ? [`put back as before: ${restored.map(visible).join(', ')}`] : []),
      ...(left.length > 0 ? [`changed meanwhile, left so: ${left.map(visible).join(', ')}`] : []),
      ...(copies === null ? [] : [`as before they are in ${copies}`]),
    ];
    for (const line of said) io.stderr.write(`baton: ${line}\n`);
  };
}

export function changesText(changes: readonly { status: string; path: string }[]): string {
  return changes.map(({ status, path }) => ` ${status} ${visible(path)}\n`).join('');
}

export function hooksText(hooks: readonly HookRun[]): string {
  return hooks
    .map(
      ({ name, code, output }) =>
        `${name}${code === 0 ? '' : ` (exit ${code})`}:\n${output.trimEnd().split('\n').map(visible).join('\n')}\n`,
    )
    .join('');
}
