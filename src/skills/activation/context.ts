import type { MatchReason } from '../match.ts';
import type { ActivationHook } from '../activation-hooks.ts';

/** A skill to tell a model of. */
export interface Suggestion {
  name: string;
  /** Its file, relative to the project. */
  path: string;
  why: readonly MatchReason[];
}

/** In UTF-16 units. Above it claude keeps the text in a file and shows the model its beginning. */
const MAX_CONTEXT = 10_000;

/**
 * What a model is told, at most `MAX_CONTEXT` units and cut at a whole line, and which skills it is told of.
 *
 * Rules are anybody's text: of all that they hold, only names (which keep to a rule) reach the model.
 */
export function contextOf(
  event: ActivationHook['event'],
  suggestions: readonly Suggestion[],
): { text: string; told: string[] } {
  const lines = suggestions.map(({ path, why }) => `- ${path} (${reasonOf(why)})`);
  let count = lines.length;
  const text = (): string =>
    [HEADINGS[event], ...lines.slice(0, count), ...more(lines.length - count)].join('\n');
  while (text().length > MAX_CONTEXT) count -= 1;
  return { text: text(), told: suggestions.slice(0, count).map(({ name }) => name) };
}

const HEADINGS: { [event in ActivationHook['event']]: string } = {
  UserPromptSubmit: 'Skills of this repository that fit this prompt. Read these files before you begin:',
  PostToolUse: 'Skills of this repository that fit the files just edited. Read these files before you go on:',
};

function more(left: number): string[] {
  return left > 0 ? [`- ${left} more: \`baton skills match\` lists them`] : [];
}

function reasonOf(why: readonly MatchReason[]): string {
  return why.map(({ kind }) => REASONS[kind]).join(', ');
}

const REASONS: { [kind in MatchReason['kind']]: string } = {
  always: 'always',
  keyword: 'its subject is named',
  intent: 'what is asked for',
  file: 'for these files',
};
