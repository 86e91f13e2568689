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
export async function confirm(io: Io, question: string, yes: string, signal?: AbortSignal): Promise<boolean> {
  if (!canAsk(io))
    throw new UsageError(`nobody can be asked (no terminal): ${question}`, {
      hint: `look at what is shown, and say it in advance with ${yes}`,
    });
  try {
    return await decide(io, question, signal);
  } catch (error) {
    if (error instanceof Cancelled) return false;
    throw error;
  }
}

/** Asks a person who is there for a yes or a no. Rejects with Cancelled, also by `signal`. */
export async function decide(io: Io, question: string, signal?: AbortSignal): Promise<boolean> {
  const clack = await import('@clack/prompts');
  const answer = await onScreen(io, signal, (screen) =>
    clack.confirm({ message: question, initialValue: false, ...screen }),
  );
  if (clack.isCancel(answer)) throw new Cancelled();
  return answer;
}

/** One answer that can be chosen. Its texts are shown as they are: make them `visible` first. */
export interface Choice<Value> {
  value: Value;
  label: string;
  hint?: string;
}

/** Asks a person for one of these, the first unless another is moved to. Rejects with Cancelled, also by `signal`. */
export async function choose<Value>(
  io: Io,
  question: string,
  choices: readonly Choice<Value>[],
  signal?: AbortSignal,
): Promise<Value> {
  const clack = await import('@clack/prompts');
  const answer = await onScreen(io, signal, (screen) =>
    clack.select({
      message: question,
      // By their number: a library that treats plain values in another way than objects is none of our types' concern.
      options: choices.map(({ label, hint }, at) => ({ value: at, label, ...(hint ? { hint } : {}) })),
      maxItems: 12,
      ...screen,
    }),
  );
  const chosen = clack.isCancel(answer) ? undefined : choices[answer];
  if (!chosen) throw new Cancelled();
  return chosen.value;
}

/** A person left by Ctrl-C, Ctrl-D or Escape, or the process was told to end: nothing more is asked, and nothing is done. */
export class Cancelled extends Error {}

interface Screen {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  signal: AbortSignal;
}

/**
 * Questions go to stderr: stdout is for what was asked of the command. At Ctrl-D the library lets go of stdin and never
 * answers: with nothing left to wait for, the process would end there as if all were well.
 */
async function onScreen<Answer>(
  io: Io,
  signal: AbortSignal | undefined,
  ask: (screen: Screen) => Promise<Answer>,
): Promise<Answer> {
  const left = new AbortController();
  let answered = false;
  const leave = (): void => void setImmediate(() => answered || left.abort());
  io.stdin.once('pause', leave).once('end', leave);
  try {
    const signals = [left.signal, ...(signal ? [signal] : [])];
    return await ask({ input: io.stdin, output: io.stderr, signal: AbortSignal.any(signals) });
  } finally {
    answered = true;
    io.stdin.off('pause', leave).off('end', leave);
  }
}
