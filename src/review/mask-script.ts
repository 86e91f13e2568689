import type { Masked } from './spans.ts';

/** A word before a slash after which a regular expression, and no division, begins. */
const BEFORE_REGEX =
  /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|else|do|instanceof|yield|await)$/;

/**
 * Finds comments, strings, templates and regular expressions of JavaScript and TypeScript. What it takes for a string
 * never goes beyond its line (a template may), so an apostrophe in JSX text spoils that line alone.
 */
export function maskScript(text: string): Masked {
  const masked: Masked = { comments: [], strings: [], others: [] };
  /** Depth of braces of each template hole that is open. */
  const holes: number[] = [];
  let depth = 0;
  let at = 0;
  /** Where the last token that is no space or comment ended: decides what a slash means. */
  let lastEnd = 0;
  if (text.startsWith('#!')) {
    at = endOfLine(text, 0);
    masked.comments.push({ start: 0, end: at });
  }
  while (at < text.length) {
    const sign = text[at];
    const next = text[at + 1];
    const start = at;
    if (sign === '/' && (next === '/' || next === '*')) {
      at = next === '/' ? endOfLine(text, at) : endOf(text, '*/', at + 2);
      masked.comments.push({ start, end: at });
      continue;
    }
    if (sign === '"' || sign === "'") {
      at = endOfString(text, at);
      masked.strings.push({ start, end: at });
    } else if (sign === '`' || (sign === '}' && holes.at(-1) === depth)) {
      if (sign === '}') holes.pop();
      at = endOfTemplatePart(text, at + 1);
      masked.strings.push({ start, end: at });
      if (text[at - 1] === '{') holes.push(depth);
    } else if (sign === '/' && isRegexPlace(text, lastEnd)) {
      at = endOfRegex(text, at);
      masked.others.push({ start, end: at });
    } else {
      if (sign === '{') depth += 1;
      else if (sign === '}') depth -= 1;
      at += 1;
    }
    if (sign !== ' ' && sign !== '\n' && sign !== '\t' && sign !== '\r') lastEnd = at;
  }
  return masked;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function endOf(text: string, mark: string, at: number): number {
  const end = text.indexOf(mark, at);
  return end < 0 ? text.length : end + mark.length;
}

function endOfString(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === quote) return at + 1;
    if (sign === '\\') at += 1;
    else if (sign === '\n') return at;
  }
  return text.length;
}

/** Up to and with the closing backquote, or the `${` that opens a hole. */
function endOfTemplatePart(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '`') return at + 1;
    if (sign === '$' && text[at + 1] === '{') return at + 2;
    if (sign === '\\') at += 1;
  }
  return text.length;
}

function isRegexPlace(text: string, lastEnd: number): boolean {
  const last = text[lastEnd - 1];
  // `</` closes an element of JSX.
  if (last === undefined) return true;
  if (last === '<') return false;
  if (/(?:\+\+|--)$/.test(text.slice(Math.max(0, lastEnd - 2), lastEnd))) return false;
  if (/[\w$]/.test(last)) return BEFORE_REGEX.test(text.slice(Math.max(0, lastEnd - 12), lastEnd));
  return !/[)\]}"'`]/.test(last);
}

/** A slash that finds no end on its line was none: then it is one character. */
function endOfRegex(text: string, start: number): number {
  let inClass = false;
  for (let at = start + 1; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '\n') break;
    if (sign === '\\') at += 1;
    else if (sign === '[') inClass = true;
    else if (sign === ']') inClass = false;
    else if (sign === '/' && !inClass) return at + 1;
  }
  return start + 1;
}
