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
  /\b(?:must|never|always|do not|don['’]t|only|required?|forbidden|avoid|mandatory|not allowed|at all times|prohibited|instead of)\b|(?:^|[.;] )no\b|, not\b/i;

const MOST_CHARACTERS = 300;

/** The bullets of a Markdown text that bind whoever works there; what stands in a fence is an example. */
export function rulesIn(text: string, file: string): NoteRule[] {
  return bulletsIn(text)
    .map((bullet) => ({ text: plain(bullet.text), file, line: bullet.line }))
    .filter((rule) => BINDING.test(rule.text) && rule.text.length <= MOST_CHARACTERS);
}

/** With the lines that they go on in: many a file of notes is wrapped at 80 columns. */
function bulletsIn(text: string): { text: string; line: number }[] {
  const bullets: { text: string; line: number }[] = [];
  let fence: string | null = null;
  let open: { text: string; line: number } | null = null;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const sign = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    const begun = fence === null ? /^\s*(?:[-*+]|\d{1,3}[.)])\s+(.+)$/.exec(line)?.[1] : undefined;
    if (sign !== undefined) {
      if (fence === null) fence = sign;
      else if (sign.startsWith(fence)) fence = null;
      open = null;
    } else if (begun !== undefined) {
      open = { text: begun, line: at + 1 };
      bullets.push(open);
    } else if (open && fence === null && /^\s+\S/.test(line) && open.text.length <= MOST_CHARACTERS) {
      open.text += ` ${line}`;
    } else open = null;
  }
  return bullets;
}

function plain(text: string): string {
  return text
    .replace(/\*\*|__/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
