import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { BatonError } from '../core/errors.ts';
import { packageRoot } from '../core/package-root.ts';
import { value } from './flags.ts';
import type { ExitCode, Io } from './io.ts';

export function configureDemo(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description(
      'Show all of it in a minute, in a scratch folder: a brief, a dispatch, the proof, gate, review and landing. No account, no network.',
    )
    .option(
      '--implementer <id>',
      'scripted (default), or the real claude or codex of PATH, driven by a scripted model',
      value,
    )
    .addHelpText(
      'after',
      '\nExit code: 0 all went as it should; 1 something did not; 2 usage; 128+n ended by signal n.\n',
    )
    .action(async ({ implementer = 'scripted' }) => done(await play(implementer, io)));
}

/** The demo is a program of its own beside the package's other files: it calls `baton` as a person would. */
async function play(implementer: string, io: Io): Promise<ExitCode> {
  const root = packageRoot();
  if (root === null)
    throw new BatonError('no-demo', 'this copy of baton lies outside of its package: it has no demo');
  // A person's Ctrl-C reaches the demo by itself; baton stays until it has ended.
  const { signal } = io.interruptible();
  const child = spawn(process.execPath, [join(root, 'demo', 'demo.mjs'), '--implementer', implementer], {
    env: io.env,
    stdio: 'inherit',
  });
  signal.addEventListener('abort', () => child.kill());
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) =>
      resolve(code ?? (signal === null ? 1 : 128 + constants.signals[signal])),
    );
  });
}
