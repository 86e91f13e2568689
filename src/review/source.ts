import { maskPython } from './mask-python.ts';
import { maskScript } from './mask-script.ts';
import { languageOf, type Language } from './paths.ts';
import type { Masked, Span } from './spans.ts';

/** A text of a file in which code, comments and strings are told apart. */
export interface Source {
  text: string;
  /**
   * The text with the insides of comments, strings and regular expressions blanked out, character for character: an
   * offset here is an offset there. Quotes stay.
   */
  code: string;
  comments: Span[];
  strings: Span[];
  language: Language;
  /** Offsets at which the lines begin. */
  starts: number[];
  /** By the offset of an opening bracket, the one behind its closing bracket. */
  closings: ReadonlyMap<number, number>;
}

/** Reads a text as what its path says it is written in; another language is all code. */
export function sourceOf(path: string, text: string): Source {
  const language = languageOf(path);
  const masked = maskFor(language, text);
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const code = blank(text, masked);
  return {
    text,
    code,
    closings: closingsIn(code),
    comments: masked.comments,
    strings: masked.strings,
    language,
    starts,
  };
}

function maskFor(language: Language, text: string): Masked {
  if (language === 'script') return maskScript(text);
  if (language === 'python') return maskPython(text);
  return { comments: [], strings: [], others: [] };
}

function blank(text: string, { comments, strings, others }: Masked): string {
  const spans = [
    ...comments,
    ...others,
    // Their quotes stay: what stands before a quote is a call with a string. One that never ends has none.
    ...strings.map(({ start, end }) => {
      const isEnded = end > start + 1 && /["'`{]/.test(text[end - 1] ?? '');
      return { start: start + 1, end: isEnded ? end - 1 : end };
    }),
  ].sort((a, b) => a.start - b.start);
  let code = '';
  let at = 0;
  for (const { start, end } of spans) {
    code += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, ' ');
    at = end;
  }
  return code + text.slice(at);
}

/** The line, from 1, in which an offset lies. */
export function lineAt({ starts }: Source, offset: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}

/** The text of a line, from 1. */
export function lineOf(source: Source, line: number): string {
  const start = source.starts[line - 1];
  if (start === undefined) return '';
  return source.text.slice(start, (source.starts[line] ?? source.text.length + 1) - 1);
}

/** The same line with comments and strings blanked out. */
export function codeLine(source: Source, line: number): string {
  const start = source.starts[line - 1];
  if (start === undefined) return '';
  return source.code.slice(start, (source.starts[line] ?? source.code.length + 1) - 1);
}

/** The offset behind the bracket that closes the one at `open`; the end of the text where none does. */
export function closing({ code, closings }: Source, open: number): number {
  return closings.get(open) ?? code.length;
}

/** All of them at once: looked for one by one, a text of nothing but opening brackets would take minutes. */
function closingsIn(code: string): Map<number, number> {
  const closings = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < code.length; at += 1) {
    const sign = code[at];
    if (sign === '(' || sign === '[' || sign === '{') open.push(at);
    else if (sign === ')' || sign === ']' || sign === '}') {
      const start = open.pop();
      if (start !== undefined) closings.set(start, at + 1);
    }
  }
  return closings;
}
