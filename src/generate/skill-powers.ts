import { isDeepStrictEqual } from 'node:util';
import { readFrontmatter } from '../skills/frontmatter.ts';

/** Keys by which claude starts programs outside of every sandbox (`hooks`), or uses tools without asking. */
const POWERS = ['hooks', 'allowed-tools'];
/** Claude runs such a command whenever it loads the skill: `` !`git status` ``, or a whole block that begins with ```! */
const COMMAND = /(?<=^|\s)!`[^`\n]+`|^[ \t]*`{3,}![^`]*/gm;

/**
 * What a new text of a skill would make claude run, or let it run unasked, and the old one (null: there is none) does
 * not. A repository can talk its way into what an implementer writes, so only a person may add such things.
 */
export function newPowers(content: string, before: string | null): string[] {
  const [now, then] = [fieldsOf(content), fieldsOf(before ?? '')];
  const known = new Set(before?.match(COMMAND));
  return [
    ...POWERS.filter((key) => now.has(key) && !isDeepStrictEqual(now.get(key), then.get(key))),
    ...new Set(content.match(COMMAND)?.filter((command) => !known.has(command))),
  ];
}

function fieldsOf(content: string): ReadonlyMap<string, unknown> {
  return readFrontmatter(content)?.fields ?? new Map();
}
