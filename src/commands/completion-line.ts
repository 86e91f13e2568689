import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { values } from './flags.ts';

/** The word at the cursor, and what may stand there. */
export interface Cursor {
  /** The commands so far, such as `lanes`, `set`. */
  path: readonly string[];
  /** What is there of it already: of `--lane=fa`, that is `fa`. */
  begun: string;
  expected: Expected;
  /** The flags before it, by their long names; one without a value has an empty one. */
  given: ReadonlyMap<string, string>;
}

export type Expected =
  | { type: 'nothing' }
  | { type: 'commands'; commands: readonly Word[] }
  | { type: 'flags'; flags: readonly Word[] }
  /** Of a flag, or (`flag` null) of an argument; `placeholder` is what the help calls it, such as `run`. */
  | { type: 'value'; flag: string | null; placeholder: string; choices: readonly string[] };

export interface Word {
  name: string;
  about: string;
}

/** Where the cursor stands in a line that begins with `top` and goes on with `words`. Pure: no command is run. */
export function cursorIn(top: CommandUnknownOpts, words: readonly string[], current: string): Cursor {
  const { command, path, given, wants, argument, literal } = read(top, words);
  const at = (begun: string, expected: Expected): Cursor => ({ path, begun, expected, given });
  if (wants && takes(wants, current)) return at(current, valueOf(wants));
  const [, flag, begun] = /^(--[^=]+)=(.*)$/s.exec(literal ? '' : current) ?? [];
  if (flag !== undefined && begun !== undefined) {
    const option = optionOf(command, flag);
    return at(begun, option && hasValue(option) ? valueOf(option) : { type: 'nothing' });
  }
  const flags = { type: 'flags' as const, flags: flagsOf(command, given) };
  if (current.startsWith('-') && !literal) return at(current, flags);
  const below = subcommandsOf(command);
  if (below.length > 0 && argument === 0) return at(current, { type: 'commands', commands: below });
  const registered = command.registeredArguments;
  const last = registered.at(-1);
  const next = registered[argument] ?? (last?.variadic ? last : undefined);
  if (next)
    return at(current, {
      type: 'value',
      flag: null,
      placeholder: next.name(),
      choices: next.argChoices ?? [],
    });
  return at(current, literal ? { type: 'nothing' } : flags);
}

/** What the words before the cursor mean. */
interface Before {
  command: CommandUnknownOpts;
  path: string[];
  given: Map<string, string>;
  /** The flag that has no value yet, or may have more. */
  wants: Option | null;
  /** How many arguments there are. */
  argument: number;
  /** After `--`, nothing is a flag. */
  literal: boolean;
}

function read(top: CommandUnknownOpts, words: readonly string[]): Before {
  const before: Before = {
    command: top,
    path: [top.name()],
    given: new Map(),
    wants: null,
    argument: 0,
    literal: false,
  };
  for (const word of words) readWord(before, word);
  return before;
}

function readWord(before: Before, word: string): void {
  const { command, wants, given, literal } = before;
  if (wants && takes(wants, word)) {
    given.set(longName(wants), word);
    if (!wants.variadic) before.wants = null;
    return;
  }
  before.wants = null;
  if (word === '--' && !literal) {
    before.literal = true;
  } else if (literal || !word.startsWith('-')) {
    const below =
      before.argument === 0 && !literal ? command.commands.find((one) => one.name() === word) : undefined;
    // `lanes help set`: what is below `lanes` comes after it as well.
    if (word === 'help' && command.commands.length > 0 && before.argument === 0) return;
    if (below) {
      before.command = below;
      before.path.push(word);
    } else before.argument += 1;
  } else {
    const [flag = '', ...rest] = word.split('=');
    const option = optionOf(command, flag);
    if (!option) return;
    given.set(longName(option), rest.join('='));
    if (rest.length === 0 && hasValue(option)) before.wants = option;
  }
}

function optionOf(command: CommandUnknownOpts, flag: string): Option | undefined {
  return command.options.find(({ long, short }) => long === flag || short === flag);
}

function hasValue(option: Option): boolean {
  return option.required || option.optional;
}

/** Whether this word is the flag's, and not the next flag. */
function takes(option: Option, word: string): boolean {
  return (option.required && !option.variadic) || !word.startsWith('-');
}

function valueOf(option: Option): Expected {
  const placeholder = /[<[](.*?)(?:\.\.\.)?[>\]]/.exec(option.flags)?.[1] ?? '';
  return { type: 'value', flag: longName(option), placeholder, choices: option.argChoices ?? [] };
}

function longName(option: Option): string {
  return option.long ?? option.flags;
}

/** Those that the help shows, without those that are there already and count once. */
function flagsOf(command: CommandUnknownOpts, given: ReadonlyMap<string, string>): Word[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .filter((option) => !given.has(longName(option)) || option.variadic || option.parseArg === values)
    .map((option) => ({ name: longName(option), about: option.description }));
}

function subcommandsOf(command: CommandUnknownOpts): Word[] {
  if (command.commands.length === 0) return [];
  const help = command.createHelp();
  return help
    .visibleCommands(command)
    .map((one) => ({ name: one.name(), about: help.subcommandDescription(one) }));
}
