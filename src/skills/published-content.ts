import { isDeepStrictEqual } from 'node:util';
import { BatonError } from '../core/errors.ts';
import { splitFrontmatter } from './frontmatter.ts';
import { generatedParts } from './generated-parts.ts';
import { parseTriggers, setTriggers } from './triggers.ts';

/**
 * What of a Markdown file may be published: without the sections that tools generate (`## Activation`, `## Key Files`,
 * and outside of a code map the lists of hub files and the like). All other bytes stay. The triggers of a skill are the
 * same before and after: those that stood in such a section go into its frontmatter. A skill whose frontmatter cannot
 * take them is left as it is. Doing it twice is doing it once.
 */
export function sanitizePublishedContent(content: string, path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (!/\.md$/i.test(name)) return content;
  const clean = withoutGenerated(content, { labelled: name !== 'code-map.md' });
  return /^skill\.md$/i.test(name) ? withTriggersOf(content, clean) : clean;
}

function withTriggersOf(content: string, clean: string): string {
  const triggers = parseTriggers(content);
  if (isDeepStrictEqual(parseTriggers(clean), triggers)) return clean;
  try {
    return setTriggers(clean, triggers);
  } catch (error) {
    if (error instanceof BatonError) return content;
    throw error;
  }
}

function withoutGenerated(content: string, kinds: { labelled: boolean }): string {
  const parts = splitFrontmatter(content);
  let body = parts?.body ?? content.replace(/^\uFEFF/, '');
  const head = content.slice(0, content.length - body.length);
  // What is taken out may bring other lines together, so that there is more to find.
  for (let found = generatedParts(body, kinds); found.length > 0; found = generatedParts(body, kinds)) {
    for (const { start, end } of found.reverse()) body = joined(body.slice(0, start), body.slice(end));
  }
  // A line `---` that comes first now must not become the beginning of frontmatter.
  return parts === null && splitFrontmatter(head + body) !== null ? `${head}\n${body}` : head + body;
}

/** Two texts with a blank line between, so that neither becomes a part of the other. */
function joined(before: string, after: string): string {
  if (before.trim() === '') return before + after;
  if (after === '') return before.slice(0, endOfLine(before, before.trimEnd().length));
  if (/\n[ \t]*\r?\n$/.test(before)) return before + after;
  return before + (before.endsWith('\r\n') ? '\r\n' : '\n') + after;
}

function endOfLine(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline === -1 ? text.length : newline + 1;
}
