import { isDeepStrictEqual } from 'node:util';
import { BatonError } from '../core/errors.ts';
import { splitFrontmatter } from './frontmatter.ts';
import { generatedParts, type Part } from './generated-parts.ts';
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
  for (let found = generatedParts(body, kinds); found.length > 0; found = generatedParts(body, kinds))
    body = without(body, found);
  // A line `---` that comes first now must not become the beginning of frontmatter.
  return parts === null && splitFrontmatter(head + body) !== null ? `${head}\n${body}` : head + body;
}

/** The text without these parts, with a blank line between what meets now: neither may become a part of the other. */
function without(body: string, parts: readonly Part[]): string {
  const kept: string[] = [];
  let from = 0;
  for (const { start, end } of parts) {
    if (start > from || from === 0) kept.push(body.slice(from, start));
    from = end;
  }
  const last = body.slice(from);
  const pieces = kept.map((piece, at) => (at < kept.length - 1 || last !== '' ? apart(piece) : ended(piece)));
  return pieces.join('') + last;
}

/** A text that ends with a blank line, so that another may follow. */
function apart(text: string): string {
  const lastLine = text.slice(text.trimEnd().length);
  const isApart = text.length === lastLine.length || lastLine.split('\n').length > 2;
  return isApart ? text : text + (text.endsWith('\r\n') ? '\r\n' : '\n');
}

/** A text that ends with the end of its last line. */
function ended(text: string): string {
  const newline = text.indexOf('\n', text.trimEnd().length);
  return newline === -1 || text.trim() === '' ? text : text.slice(0, newline + 1);
}
