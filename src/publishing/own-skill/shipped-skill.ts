import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BatonError, messageOf } from '../../core/errors.ts';
import { packageRoot } from '../../core/package-root.ts';
import { OWN_SKILL } from '../../skills/own-skill.ts';
import type { FileBlock } from '../../answers/file-block.ts';

/** What belongs to it: its file, the pages that it refers to, and the programs that stand in where baton is not installed. */
const PARTS: readonly { folder: string; name: RegExp }[] = [
  { folder: '', name: /^SKILL\.md$/ },
  { folder: 'references', name: /\.md$/ },
  { folder: 'scripts', name: /\.mjs$/ },
];

/**
 * The files of the skill that this version of baton brings, by paths in the skill's folder. Throws a BatonError `package`
 * where they are not there.
 */
export function shippedSkill(): FileBlock[] {
  const top = packageRoot();
  try {
    if (top === null) throw new Error('the package was not found');
    const skill = join(top, 'skills', OWN_SKILL);
    return PARTS.flatMap(({ folder, name }) =>
      readdirSync(join(skill, folder))
        .filter((one) => name.test(one))
        .sort()
        .map((one) => ({
          path: folder === '' ? one : `${folder}/${one}`,
          content: readFileSync(join(skill, folder, one), 'utf8'),
        })),
    );
  } catch (error) {
    throw new BatonError('package', `the skill that baton brings cannot be read: ${messageOf(error)}`, {
      hint: 'install baton-relay anew',
      cause: error,
    });
  }
}

/** Whether version `a` is a later one than `b`, by its three numbers. */
export function isLater(a: string, b: string): boolean {
  const [first, second] = [numbersOf(a), numbersOf(b)];
  const at = first.findIndex((number, index) => number !== (second[index] ?? 0));
  return at >= 0 && (first[at] ?? 0) > (second[at] ?? 0);
}

function numbersOf(version: string): number[] {
  return (/^\d+(?:\.\d+){0,2}/.exec(version)?.[0] ?? '').split('.').map(Number);
}
