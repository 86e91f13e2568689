import { copyEnv } from './core/environment.ts';
import type { Io } from './commands/io.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The real world of a command. Called once by an executable's entry. */
export function processIo(): Io {
  const { stdout, stderr } = process;
  for (const stream of [stdout, stderr]) stream.on('error', (error) => leaveOnLostOutput(error, stream));
  return {
    env: copyEnv(process.env),
    // Opening it costs a few milliseconds, and few commands read it.
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    colour: wantsColour(),
    interruptible,
  };
}

/**
 * `baton … | head -1` closes our stdout, and a closed terminal takes stderr away: that is for the reader to know. A file
 * on a full disk is not: it fails the command, but does not end a dispatch in the middle.
 */
function leaveOnLostOutput(error: NodeJS.ErrnoException, stream: NodeJS.WriteStream): void {
  if (error.code === 'EPIPE' || error.code === 'EIO') return;
  process.exitCode ||= 1;
  if (stream === process.stdout) process.stderr.write(`baton: stdout cannot be written: ${error.message}\n`);
}

function wantsColour(): boolean {
  if (process.env['NO_COLOR']) return false;
  if (process.env['FORCE_COLOR'] && process.env['FORCE_COLOR'] !== '0') return true;
  return process.stdout.isTTY && process.env['TERM'] !== 'dumb';
}

/** The third request is obeyed by the platform's default: nothing may make baton impossible to end. */
function interruptible(): { signal: AbortSignal; hurry: AbortSignal } {
  const first = new AbortController();
  const second = new AbortController();
  const onSignal = (name: NodeJS.Signals): void => {
    if (!first.signal.aborted) first.abort(name);
    else if (!second.signal.aborted) second.abort(name);
    else {
      for (const signal of SIGNALS) process.removeListener(signal, onSignal);
      process.kill(process.pid, name);
    }
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return { signal: first.signal, hurry: second.signal };
}
