import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { splitFrontmatter } from './frontmatter.ts';

/** What a Markdown file holds below its frontmatter. Lines count from 1, in the whole file. */
export interface MarkdownBody {
  text: string;
  headings: { title: string; line: number }[];
  /** Pieces of code within lines of text. */
  codes: { value: string; line: number }[];
  /** The lines that stand in no code block. */
  prose: { text: string; line: number }[];
  /** The line of a code fence that does not close; null where all do. */
  openFence: number | null;
  /** The last line that is not blank; null where there is none. */
  last: { text: string; line: number; kind: 'heading' | 'code' | 'text' } | null;
}

export function readMarkdown(content: string): MarkdownBody {
  const text = splitFrontmatter(content)?.body ?? content.replace(/^\uFEFF/, '');
  const before = content.slice(0, content.length - text.length).split('\n').length - 1;
  const lines = text.split(/\r?\n/).map((line, at) => ({ text: line, line: before + at + 1 }));
  const body: MarkdownBody = { text, headings: [], codes: [], prose: [], openFence: null, last: null };
  const inCode = new Set<number>();
  // With a list of its own instead of recursion: quotes may nest without end.
  const left: Nodes[] = [fromMarkdown(text)];
  for (let node = left.pop(); node; node = left.pop()) {
    const start = node.position?.start.line ?? 1;
    const end = node.position?.end.line ?? start;
    if (node.type === 'heading')
      body.headings.push({ title: titleOf(lines[start - 1]?.text ?? ''), line: before + start });
    else if (node.type === 'inlineCode') body.codes.push({ value: node.value, line: before + start });
    else if (node.type === 'code') {
      for (let line = start; line <= end; line += 1) inCode.add(before + line);
      if (isOpenFence(text.slice(node.position?.start.offset, node.position?.end.offset)))
        body.openFence = before + start;
    }
    if ('children' in node) left.push(...[...node.children].reverse());
  }
  body.prose = lines.filter(({ line }) => !inCode.has(line));
  const last = lines.findLast((line) => line.text.trim() !== '');
  if (last) body.last = { ...last, kind: inCode.has(last.line) ? 'code' : kindOf(last.text) };
  return body;
}

function kindOf(line: string): 'heading' | 'text' {
  return /^ {0,3}#{1,6}(?:\s|$)/.test(line) ? 'heading' : 'text';
}

function titleOf(line: string): string {
  return line.replace(/^[\s#]+|[\s#]+$/g, '');
}

/** Whether a code block begins with a fence and does not end with one. Indented code has none. */
function isOpenFence(block: string): boolean {
  const fence = /^(?:`{3,}|~{3,})/.exec(block)?.[0];
  if (fence === undefined) return false;
  const [, ...below] = block.split(/\r?\n/);
  const last = (below.at(-1) ?? '').replace(/^[\s>]*/, '').trimEnd();
  return last.length < fence.length || last.replaceAll(fence.charAt(0), '') !== '';
}
