import { Command } from '@commander-js/extra-typings';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../core/errors.ts';
import { oneLine, truncate } from '../core/text.ts';
import { type KnownName, knownNames } from '../verbs/known-names.ts';
import { type Cursor, cursorIn, type Word } from './completion-line.ts';
import { scriptFor, type Shell, SHELLS } from './completion-scripts.ts';
import { sourceOf } from './completion-values.ts';
import type { ExitCode, Io } from './io.ts';
import { quiet } from './parse.ts';
import { COMMANDS } from './table.ts';
import { typedWord } from './typed-word.ts';

export function configureCompletion(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description('Print the completion of your shell: commands, flags, runs, lanes, gates and prompts.')
    .addHelpText('after', HELP);
  for (const shell of SHELLS) {
    quiet(command.command(shell), io)
      .description(`Print the completion for ${shell}, for it to source.`)
      .action(() => {
        io.stdout.write(scriptFor(shell));
        done(0);
      });
  }
  quiet(command.command('suggest', { hidden: true }), io)
    .description('What may stand at the cursor: the scripts ask this.')
    .argument('<shell>', SHELLS.join(', '))
    .argument('[words...]', 'the words of the line after `baton`; the last is the one at the cursor')
    .action(async (name, words) => {
      const shell = SHELLS.find((one) => one === name);
      if (shell === undefined)
        throw new UsageError(`the shell ${JSON.stringify(name)} is not known: ${SHELLS.join(', ')}`);
      // At a key, an error helps nobody: there is nothing to offer.
      const answer = await suggest(shell, words, io).catch(() => '');
      io.stdout.write(answer);
      done(0);
    });
}

/** The answer to a script: its kind, and a line for each value. */
async function suggest(shell: Shell, words: readonly string[], io: Io): Promise<string> {
  // Zsh and fish have taken the quotes away, all but those of the word that is being typed.
  const plain = words.map((word, at) =>
    shell === 'bash' || at === words.length - 1 ? typedWord(word) : word,
  );
  const cursor = await cursorAt(plain.slice(0, -1), plain.at(-1) ?? '', io);
  const { kind, offers } = await offersAt(cursor, io);
  const fitting = offers.filter(
    ({ name }) => (cursor.expected.type === 'flags' || PLAIN.test(name)) && name.startsWith(cursor.begun),
  );
  return [
    kind,
    ...fitting.map(({ name, about }) => `${name}\t${truncate(oneLine(about), MAX_ABOUT)}`),
    '',
  ].join('\n');
}

/** Only what no shell, and no command, takes for anything else: names come from files that anybody may have written. */
const PLAIN = /^[\w.@%+,=/][\w.@%+,=/-]*$/;

const MAX_ABOUT = 100;

/** Loads the one command that the line names. */
async function cursorAt(words: readonly string[], current: string, io: Io): Promise<Cursor> {
  const [first, ...rest] = words.filter((word, at) => at > 0 || word !== 'help');
  const entry = COMMANDS.find(({ name }) => name === first);
  if (first === undefined) return atTop(current, words.length > 0);
  if (!entry) return { path: [], begun: current, expected: { type: 'nothing' }, given: new Map() };
  const command = quiet(new Command(entry.name), io);
  (await entry.load())(command, io, () => {});
  return cursorIn(command, rest, current);
}

function atTop(current: string, help: boolean): Cursor {
  const commands = COMMANDS.map(({ name, summary }): Word => ({ name, about: summary }));
  const expected = current.startsWith('-')
    ? { type: 'flags' as const, flags: TOP_FLAGS }
    : { type: 'commands' as const, commands: help ? commands : [...commands, HELP_COMMAND] };
  return { path: [], begun: current, expected, given: new Map() };
}

const HELP_COMMAND: Word = { name: 'help', about: 'the flags of a command' };
const TOP_FLAGS: readonly Word[] = [
  { name: '--help', about: 'all commands' },
  { name: '--version', about: 'the version of baton' },
];

interface Offers {
  kind: 'words' | 'open' | 'files' | 'folders';
  offers: readonly KnownName[];
}

async function offersAt({ path, expected, given }: Cursor, io: Io): Promise<Offers> {
  if (expected.type === 'nothing') return { kind: 'words', offers: [] };
  if (expected.type === 'commands') return { kind: 'words', offers: expected.commands };
  if (expected.type === 'flags') return { kind: 'words', offers: expected.flags };
  const { names, words, paths, suffix } = sourceOf(path, expected);
  const known = names === null ? [] : await knownNames(names, placeOf(given, io));
  const offers = [...known, ...words.map((name) => ({ name, about: '' }))];
  return {
    kind: paths ?? (suffix === '' ? 'words' : 'open'),
    offers: offers.map(({ name, about }) => ({ name: `${name}${suffix}`, about })),
  };
}

/** Where the command would look, as far as the line says it already. */
function placeOf(given: ReadonlyMap<string, string>, io: Io) {
  const home = io.env['HOME'] || homedir();
  const folder = (flag: string): string | null => {
    const path = given.get(flag) ?? '';
    if (path === '') return null;
    return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
  };
  return {
    cd: folder('--cd') ?? process.cwd(),
    env: io.env,
    implementer: given.get('--implementer') ?? null,
    prompts: folder('--prompts'),
  };
}

const HELP = `
To have it in every shell:
  bash  add to ~/.bashrc:  eval "$(baton completion bash)"
  zsh   add to ~/.zshrc, after compinit:  source <(baton completion zsh)
  fish  baton completion fish > ~/.config/fish/completions/baton.fish

Tab then completes commands, flags and their values: the runs, lanes, gates and prompts of this repository, or of the
one that --cd names on the line.
`;
