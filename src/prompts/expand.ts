import { UsageError } from '../core/errors.ts';

/** Values by name. */
export type Vars = { readonly [name: string]: string };

/** The text of a partial; null where there is none of that name. */
export type FindPartial = (name: string) => string | null;

const NAME = /^[A-Za-z0-9_][A-Za-z0-9_-]*$/;
/** With white space in it, as in `{{ secrets.KEY }}`, it is somebody else's and stays as it is. */
const MARK = /\\\{\{|\{\{([^\s{}]+)\}\}/g;

/** Whether a text can be the name of a prompt, a partial or a variable: letters, digits, `_` and `-`. */
export function isPlainName(name: string): boolean {
  return NAME.test(name);
}

/**
 * Fills a template in one pass. `{{name}}` is the partial of that name, itself expanded, or else the variable, whose
 * value is never looked at again: `{{x}}` and `$&` in it stay as they are. `\{{` is `{{`.
 * Throws a UsageError for a name that is neither, for one that is not plain, and for partials that include each other.
 * `what` names the template in messages.
 */
export function expand(template: string, what: string, vars: Vars, findPartial: FindPartial): string {
  return expandWithin(template, what, [], vars, findPartial);
}

function expandWithin(
  template: string,
  what: string,
  /** The partials that this one is in. */
  within: readonly string[],
  vars: Vars,
  findPartial: FindPartial,
): string {
  return template.replace(MARK, (_mark, name: string | undefined) => {
    if (name === undefined) return '{{';
    if (!isPlainName(name)) {
      throw new UsageError(
        `${what}: {{${name}}} is not a plain name: write letters, digits, _ and -, or \\{{ for two literal braces`,
      );
    }
    if (within.includes(name)) {
      throw new UsageError(`${what}: partials include each other: ${[...within, name].join(' > ')}`);
    }
    const partial = findPartial(name);
    if (partial !== null)
      return expandWithin(partial, `${what}, partial ${name}`, [...within, name], vars, findPartial);
    const value = Object.hasOwn(vars, name) ? vars[name] : undefined;
    if (value !== undefined) return value;
    throw new UsageError(`${what}: {{${name}}} has no value, and there is no partial of that name`);
  });
}

/** The names of the values that a template and its partials ask for, in the order of the text, each once. */
export function variablesOf(template: string, findPartial: FindPartial): string[] {
  return [...new Set(variablesWithin(template, [], findPartial))];
}

function variablesWithin(template: string, within: readonly string[], findPartial: FindPartial): string[] {
  return [...template.matchAll(MARK)].flatMap(([, name]) => {
    if (name === undefined || !isPlainName(name) || within.includes(name)) return [];
    const partial = findPartial(name);
    return partial === null ? [name] : variablesWithin(partial, [...within, name], findPartial);
  });
}
