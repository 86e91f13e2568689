/** A brief, line by line, with what each line stands in. */
export interface BriefLine {
  /** From 1. */
  number: number;
  text: string;
  /** The block, such as `task`; null outside of all. */
  block: string | null;
  /** In a code fence: quoted, or commands. */
  fenced: boolean;
}

/** Blocks are tags alone on their lines, `<task>` … `</task>`; a tag in a fence is text. */
export function linesOf(brief: string): BriefLine[] {
  let block: string | null = null;
  let fence: string | null = null;
  return brief.split(/\r?\n/).map((text, at) => {
    const line = (): BriefLine => ({ number: at + 1, text, block, fenced: fence !== null });
    const sign = /^\s*(`{3,}|~{3,})(.*)$/.exec(text);
    if (sign?.[1] !== undefined) {
      if (fence === null) fence = sign[1];
      else if (sign[1].startsWith(fence) && sign[2]?.trim() === '') {
        const closing = line();
        fence = null;
        return closing;
      }
      return line();
    }
    if (fence !== null) return line();
    const opened = /^\s*<([a-z][a-z_]*)>\s*$/.exec(text)?.[1];
    if (opened !== undefined) block = opened;
    const current = line();
    if (/^\s*<\/[a-z][a-z_]*>\s*$/.test(text)) block = null;
    return current;
  });
}

/** A code span of a line: its backquotes, and what stands in them. */
export const CODE_SPAN = /(`+)(.+?)\1/g;

/** Code spans of a line: what stands in backquotes. */
export function codeSpans(text: string): string[] {
  return [...text.matchAll(CODE_SPAN)].map(([, , code]) => (code ?? '').trim());
}
