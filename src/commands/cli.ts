import { BATON_VERSION } from '../core/version.ts';
import type { ExitCode, Io } from './io.ts';
import { COMMANDS } from './table.ts';

/**
 * Runs `baton` with these arguments. Returns the exit code; never throws, never exits. What needs no parser is answered
 * without loading it: agents ask for help and version often, and start-up is what they wait for.
 */
export async function runCli(args: readonly string[], io: Io): Promise<ExitCode> {
  const [first = '--help', ...rest] = args;
  if (rest.length === 0 && ['-h', '--help', 'help'].includes(first)) return answer(helpText(), io);
  if (rest.length === 0 && ['-V', '--version'].includes(first)) return answer(`${BATON_VERSION}\n`, io);
  const { runProgram } = await import('./program.ts');
  // Commander's own `help` takes one command: `help lanes set` would be the help of `lanes`.
  return runProgram(first === 'help' ? [...rest, '--help'] : args, io);
}

function answer(text: string, io: Io): ExitCode {
  io.stdout.write(text);
  return 0;
}

function helpText(): string {
  const widest = Math.max(...COMMANDS.map(({ name }) => name.length));
  const list = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(widest)}  ${summary}`);
  return `Usage: baton <command> [options]

Hand a coding task to another agent, get back proof, land it yourself.

Commands:
${list.join('\n')}

Options:
  -h, --help     this text; \`baton <command> --help\` has the flags of a command
  -V, --version  the version of baton
`;
}
