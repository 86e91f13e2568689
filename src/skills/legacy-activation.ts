import { splitFrontmatter } from './frontmatter.ts';
import type { Triggers } from './skill-rules.ts';

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const BULLET = /^[ \t]*[-*+][ \t]+(.+)$/;
const KEYWORDS = /^[ \t]*(?:[-*+][ \t]+)?\**keywords\**:\**[ \t]*(.*)$/i;

/**
 * The triggers of a skill as they were once written into its body: an `## Activation` section with bullets of
 * back-ticked globs, and a `Keywords: a, b` line in that section or, without one there, anywhere. Code is not read.
 */
export function legacyActivation(content: string): Triggers {
  const lines = proseOf(splitFrontmatter(content)?.body ?? content);
  const section = lines.filter(({ heading }) => heading === 'activation').map(({ text }) => text);
  const all = lines.map(({ text }) => text);
  return {
    filePatterns: unique(section.flatMap(patternsOf)),
    keywords: unique(keywordsOf(section) ?? keywordsOf(all) ?? []),
    alwaysActivate: false,
  };
}

/** The lines outside of code fences, each with the heading of level 1 or 2 that it stands under. */
function proseOf(body: string): { text: string; heading: string }[] {
  const prose: { text: string; heading: string }[] = [];
  let fence: string | null = null;
  let heading = '';
  for (const text of body.split(/\r?\n/)) {
    const mark = FENCE.exec(text)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) && text.trim() === mark) fence = null;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      continue;
    }
    const [, level = '', title = ''] = HEADING.exec(text) ?? [];
    if (level !== '' && level.length <= 2) heading = level.length === 2 ? title.toLowerCase() : '';
    else prose.push({ text, heading });
  }
  return prose;
}

/** The back-ticked globs of a bullet, or its one word where it has none. */
function patternsOf(line: string): string[] {
  if (KEYWORDS.test(line)) return [];
  const text = BULLET.exec(line)?.[1]?.trim() ?? '';
  const ticked = [...text.matchAll(/`([^`]+)`/g)].map(([, pattern = '']) => pattern.trim());
  if (ticked.length > 0) return ticked.filter((pattern) => !/\s/.test(pattern));
  return /^\S*[/*.]\S*$/.test(text) ? [text] : [];
}

function keywordsOf(lines: readonly string[]): string[] | null {
  for (const line of lines) {
    const list = KEYWORDS.exec(line)?.[1];
    if (list !== undefined)
      return list.split(',').map((word) => word.trim().replace(/^[`"'*]+|[`"'*.]+$/g, ''));
  }
  return null;
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)].filter((item) => item !== '');
}
