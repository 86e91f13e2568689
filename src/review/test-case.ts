/** One test that a file declares, or the group around some. */
export interface TestCase {
  /** Its name with those of the groups around it, joined by ` > `. */
  name: string;
  isGroup: boolean;
  line: number;
  /** Offsets of the whole declaration. */
  start: number;
  end: number;
  /** `skip`, `only`, `todo` ... as the framework spells them; those of the groups around it are not repeated. */
  modifiers: string[];
  assertions: Assertion[];
}

export interface Assertion {
  line: number;
  /** The whole expression on one line. */
  text: string;
  /** What is asserted something about, on one line. */
  subject: string;
  /** `toBe`, `assert ==` ...; with `not.` in front where negated. */
  matcher: string;
  args: string[];
}

/** A text of code on one line. */
export function flat(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/([([{]) | (?=[)\]}.])|,(?= ?[)\]}])/g, '$1')
    .trim();
}

const MAX_ARGUMENTS = 20_000;

/** Splits at the commas of the outermost level; `code` is masked, `text` is not. */
export function splitArguments(text: string, code: string): string[] {
  // Nobody wrote that; and brackets in brackets would be split again on every level.
  if (code.length > MAX_ARGUMENTS) return [flat(text.slice(0, 200))];
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= code.length; at += 1) {
    const sign = code[at];
    if (sign === '(' || sign === '[' || sign === '{') depth += 1;
    else if (sign === ')' || sign === ']' || sign === '}') depth -= 1;
    else if (sign === undefined || (sign === ',' && depth === 0)) {
      const part = flat(text.slice(start, at));
      if (part !== '') parts.push(part);
      start = at + 1;
    }
  }
  return parts;
}
