import { existsSync } from 'node:fs';
import type { Env } from '../../src/core/environment.ts';
import type { FileBlock } from '../../src/answers/file-block.ts';
import { publish } from '../../src/publishing/publish.ts';
import type { PublishOptions } from '../../src/publishing/publish-contract.ts';
import { undoPublication } from '../../src/publishing/undo-publication.ts';

/** What a process of its own does: it publishes or undoes, and kills itself at one of the steps. */
export interface Attempt {
  verb: 'publish' | 'undo';
  root: string;
  files: readonly FileBlock[];
  options: PublishOptions & { env: Env };
  /** Files that it removes. */
  removed?: readonly string[];
  /** The step, by its name or counted from 1, at which it dies; 0: at none. */
  dieAt: number | string;
  /** It begins when this file is there. */
  startSignal?: string;
  /** How often it does it. */
  times?: number;
}

/** Prints the names of its steps, each before it may die at it, and then the outcome. */
async function main(attempt: Attempt): Promise<void> {
  const { verb, root, files, options, removed = [], dieAt, startSignal, times = 1 } = attempt;
  let steps = 0;
  const onStep = (step: string): void => {
    steps += 1;
    if (steps !== dieAt && step !== dieAt) return;
    process.stderr.write(step);
    process.kill(process.pid, 'SIGKILL');
    // The signal is there before the call returns; but nothing may happen after it.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };
  const nap = new Int32Array(new SharedArrayBuffer(4));
  if (startSignal !== undefined) while (!existsSync(startSignal)) Atomics.wait(nap, 0, 0, 1);
  for (let time = 0; time < times; time += 1) {
    if (verb === 'publish') await publish({ root, files, options, removed, nested: true, onStep });
    else await undoPublication({ root, force: false, env: options.env, onStep });
  }
  process.stdout.write(String(steps));
}

void main(JSON.parse(process.argv[2] ?? ''));
