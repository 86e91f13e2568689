import { copyEnv } from '../../core/environment.ts';
import { BatonError, messageOf, UsageError } from '../../core/errors.ts';
import { codexHelp, isCodexCommand, readCodexFlags } from './codex-flags.ts';
import { readFlags, type Flags } from './flags.ts';
import { Output } from './output.ts';
import { BROKEN_PLAY, play } from './player.ts';
import { DEFAULT_VERSION, readScript, type VersionAnswer } from './script.ts';
import type { Stage } from './stage.ts';

const USAGE = `Usage: baton-scripted [--script <file>] [flags of claude -p, or codex's: exec ... -] < brief

Plays a YAML script as an agent CLI: reads a brief from stdin, prints claude's stream-json or codex's JSON lines,
and really does what the script says in the working directory. No account, no network.
The script is --script, or else the file that BATON_SCRIPT names.
`;

/** A version that hangs must not hang for ever where nobody ends it. */
const LONGEST_HANG_MS = 600_000;

const out = new Output(1);
const err = new Output(2);
const stop = new AbortController();
let stage: Stage | null = null;

process.on('SIGTERM', () => {
  if (stage?.onTerm === 'ignore') return;
  stop.abort();
  // The real CLI leaves with 143, not by the signal, and prints no result.
  process.exit(stage?.onTerm === 'exit-zero' ? 0 : 143);
});

void main(process.argv.slice(2))
  .then((code) => {
    process.exitCode = code;
  }, fail)
  // Output is synchronous, so nothing is cut off; an unread stdin would keep the process alive.
  .finally(() => process.exit());

async function main(args: readonly string[]): Promise<number> {
  const asCodex = isCodexCommand(args);
  const read = asCodex ? readCodexFlags(args) : readFlags(args);
  if ('error' in read) {
    err.write(`${read.error}\n`);
    return asCodex ? 2 : 1;
  }
  const { flags } = read;
  if (flags.help) {
    out.write(asCodex ? codexHelp(args) : USAGE);
    return 0;
  }
  const file = scriptFile(flags);
  if (flags.version) return answerVersion(file === null ? DEFAULT_VERSION : (await readScript(file)).version);
  if (file === null) {
    throw new UsageError('there is no script to play', {
      hint: 'Give --script <file>, or set BATON_SCRIPT to a YAML file. The smallest one is one line: - say: hello',
    });
  }
  return play({
    script: await readScript(file),
    flags,
    args,
    cwd: process.cwd(),
    env: copyEnv(process.env),
    stdin: process.stdin,
    out,
    err,
    stop: stop.signal,
    onStage: (made) => {
      stage = made;
    },
  });
}

function scriptFile(flags: Flags): string | null {
  return flags.script ?? (process.env['BATON_SCRIPT'] || null);
}

async function answerVersion(answer: VersionAnswer): Promise<number> {
  if (answer.stderr !== null) err.write(`${answer.stderr}\n`);
  if (answer.hang) await new Promise((resolve) => setTimeout(resolve, LONGEST_HANG_MS));
  out.write(`${answer.text}\n`);
  return answer.exit;
}

function fail(error: unknown): void {
  err.write(`baton-scripted: ${messageOf(error)}\n`);
  if (error instanceof BatonError && error.hint !== undefined) err.write(`${error.hint}\n`);
  process.exitCode = error instanceof UsageError ? 2 : BROKEN_PLAY;
}
