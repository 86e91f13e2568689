import { UsageError } from '../core/errors.ts';
import type { Io } from './io.ts';

/** Whether somebody is there to answer. */
export function canAsk(io: Io): boolean {
  return io.stdin.isTTY && io.stderr.isTTY;
}

/**
 * Asks a person for a yes before something is written; anything else, also Ctrl-C, is a no. Throws a UsageError where
 * nobody is there to answer: `yes` is the flag that says it in advance.
 */
export async function confirm(io: Io, question: string, yes: string): Promise<boolean> {
  if (!canAsk(io))
    throw new UsageError(`nobody can be asked (no terminal): ${question}`, {
      hint: `look at what is shown, and say it in advance with ${yes}`,
    });
  const clack = await import('@clack/prompts');
  const answer = await clack.confirm({
    message: question,
    initialValue: false,
    input: io.stdin,
    output: io.stderr,
  });
  return answer === true;
}
