import { execFileSync } from 'node:child_process';
import { PROGRAMS } from '../support/baton.ts';
import { surroundings } from '../support/environment.ts';

/** A command as its own help describes it. */
export interface Described {
  flags: ReadonlySet<string>;
  subcommands: ReadonlySet<string>;
}

const known = new Map<string, Described | null>();

/** What `baton <path> --help` says; null where there is no such command. The build must be fresh. */
export function described(path: readonly string[]): Described | null {
  const key = path.join(' ');
  const before = known.get(key);
  if (before !== undefined) return before;
  const parent = path.length === 0 ? null : described(path.slice(0, -1));
  const exists = path.length === 0 || (parent?.subcommands.has(path.at(-1) ?? '') ?? false);
  const now = exists ? describe(helpOf(path)) : null;
  known.set(key, now);
  return now;
}

/** Every command, with those below it. */
export function everyCommand(path: readonly string[] = []): string[][] {
  const below = [...(described(path)?.subcommands ?? [])].flatMap((name) => everyCommand([...path, name]));
  return path.length === 0 ? below : [[...path], ...below];
}

function helpOf(path: readonly string[]): string {
  return execFileSync(process.execPath, [PROGRAMS.baton, ...path, '--help'], {
    encoding: 'utf8',
    env: surroundings().env,
  });
}

function describe(help: string): Described {
  const options = /^Options:\n((?:[ ]{2}.*\n?)+)/m.exec(help)?.[1] ?? '';
  const commands = /^Commands:\n((?:[ ]{2}.*\n?)+)/m.exec(help)?.[1] ?? '';
  return {
    flags: new Set([...options.matchAll(/^ {2}(?:-\w, )?(--[a-z][a-z-]*)/gm)].map(([, flag]) => flag ?? '')),
    subcommands: new Set(
      [...commands.matchAll(/^ {2}([a-z][a-z-]*)/gm)]
        .map(([, name]) => name ?? '')
        .filter((name) => name !== 'help'),
    ),
  };
}
