import { type Command, CommanderError } from '@commander-js/extra-typings';
import { BatonError, messageOf, UsageError } from '../core/errors.ts';
import { oneLine } from '../core/text.ts';
import type { ExitCode, Io } from './io.ts';

/** Parses and runs; a number is the exit code of a failure or of `--help`. */
export async function parse(program: Command, args: readonly string[], io: Io): Promise<ExitCode | null> {
  try {
    await program.parseAsync(args, { from: 'user' });
    return null;
  } catch (caught) {
    const error = isDirectoryGone(caught)
      ? new UsageError('the current directory is not there any more', {
          hint: 'go to one that is, or name one with --cd',
        })
      : caught;
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    io.stderr.write(`${errorLine(error)}\n`);
    return error instanceof BatonError && error.code === 'usage' ? 2 : 1;
  }
}

/** Commander neither exits nor writes to the process by itself, and says what is wrong in one line. */
export function quiet(command: Command, io: Io): Command {
  return command.exitOverride().configureOutput({
    writeOut: (text) => io.stdout.write(text),
    writeErr: (text) => io.stderr.write(text),
    outputError: (text, write) =>
      write(
        `baton: ${text
          .replace(/^error: /, '')
          .trim()
          .replace(/\s*\n\s*/g, ' ')}\n`,
      ),
    getOutHasColors: () => io.colour,
  });
}

/** What `process.cwd()` throws where somebody removed the directory that the shell stands in. */
function isDirectoryGone(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';
}

/** One line for a person: what went wrong, and the way out. */
export function errorLine(error: unknown): string {
  if (!(error instanceof BatonError))
    return `baton: unexpected: ${error instanceof Error ? (error.stack ?? error.message) : messageOf(error)}`;
  const hint = error.hint === undefined ? '' : `; ${error.hint}`;
  // What a hook printed, or a file is called, may hold escape sequences.
  return oneLine(`baton: ${error.message}${hint}`);
}
