/** A rule in a file of notes for agents. */
export interface NoteRule {
  /** Without its bullet and its emphasis, on one line. */
  text: string;
  /** Such as `AGENTS.md`, relative to the top. */
  file: string;
  /** From 1. */
  line: number;
}

/** Words that make a sentence a rule. Advice and descriptions have none of them. */
const BINDING =
  /\b(?:must|never|always|do not|don['’]t|only|required?|forbidden|avoid|mandatory|not allowed|at all times|prohibited)\b|^no\b/i;

const MOST_CHARACTERS = 300;

/** The bullets of a Markdown text that bind whoever works there; what stands in a fence is an example. */
export function rulesIn(text: string, file: string): NoteRule[] {
  const rules: NoteRule[] = [];
  let fence: string | null = null;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const sign = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (sign !== undefined) {
      if (fence === null) fence = sign;
      else if (sign.startsWith(fence)) fence = null;
      continue;
    }
    const bullet = fence === null ? /^\s*(?:[-*+]|\d{1,3}[.)])\s+(.+)$/.exec(line)?.[1] : undefined;
    if (bullet === undefined || !BINDING.test(plain(bullet)) || bullet.length > MOST_CHARACTERS) continue;
    rules.push({ text: plain(bullet), file, line: at + 1 });
  }
  return rules;
}

function plain(text: string): string {
  return text
    .replace(/\*\*|__/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
