import { type NoteRule, rulesIn } from '../briefs/notes.ts';
import { textIn } from './brief-place.ts';

const NOTES: readonly string[] = ['AGENTS.md', 'CLAUDE.md'];

/**
 * The binding rules of the notes for agents: of those at the top, and of those in the folders that `touch` names. What
 * stands in two files is told once.
 */
export function rulesAt(top: string, touch: readonly string[]): NoteRule[] {
  const seen = new Set<string>();
  return foldersOf(touch)
    .flatMap((folder) => NOTES.map((name) => `${folder}${name}`))
    .flatMap((file) => rulesIn(textIn(top, file) ?? '', file))
    .filter(({ text }) => !seen.has(text) && seen.add(text));
}

/** The top, and each folder down to the first wildcard of a glob. */
function foldersOf(touch: readonly string[]): string[] {
  const folders = new Set(['']);
  for (const glob of touch) {
    let folder = '';
    for (const part of glob.replace(/^\.\//, '').split('/')) {
      if (part === '..' || /[*?{[]/.test(part)) break;
      folder += `${part}/`;
      folders.add(folder);
    }
  }
  return [...folders];
}
