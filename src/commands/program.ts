import { Command } from '@commander-js/extra-typings';
import { BATON_VERSION } from '../core/version.ts';
import type { ExitCode, Io } from './io.ts';
import { parse, quiet } from './parse.ts';
import { recoverFirst } from './recover-first.ts';
import { COMMANDS } from './table.ts';

/** Parses these arguments and runs the command that they name. Returns the exit code; never throws. */
export async function runProgram(args: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = 0;
  const program = quiet(new Command('baton'), io)
    .description('Hand a coding task to another agent, get back proof, land it yourself.')
    .version(BATON_VERSION, '-V, --version', 'the version of baton')
    .helpCommand(true)
    .showSuggestionAfterError(true);
  const asked = args.find((arg) => !arg.startsWith('-') && arg !== 'help');
  for (const entry of COMMANDS) {
    const command = quiet(program.command(entry.name).summary(entry.summary), io);
    if (entry.name !== asked) continue;
    (await entry.load())(command, io, (result) => (code = result));
    if (entry.looksAtTree) {
      command.hook('preAction', async (_, action) => {
        // Who undoes again what a kill interrupted has it completed by that: the command must see it.
        const publications = !(entry.name === 'skills' && action.name() === 'undo');
        await recoverFirst(directoryOf(action.opts()), io, { landings: !entry.mendsLandings, publications });
      });
    }
  }
  // Of a name that is not one, it is said; commander would answer `baton lane --help` by the help of `baton`.
  const known = asked === undefined || COMMANDS.some(({ name }) => name === asked);
  return (await parse(program, known ? args : [asked], io)) ?? code;
}

function directoryOf(flags: { cd?: unknown }): string {
  return typeof flags.cd === 'string' ? flags.cd : process.cwd();
}
