/** What may begin a comment, a text, or an import. */
const NEXT = /["'`]|\/[/*]|\b(?:from|import|require)\b/g;
/** Right after one of the three words: the module that is named, which may stand in brackets. */
const NAMED = /\s{0,200}(?:\(\s{0,200})?(["'])((?:(?!\1)[^\\\n]){1,500})\1/y;

/**
 * The modules that a TypeScript or JavaScript text names in `import`, `export … from`, `import()` and `require()`.
 * It reads comments and texts as such and knows no more of the language, so a regular expression with a quote in it can
 * hide an import on its line. Linear in the length of the text.
 */
export function importSpecifiers(text: string): string[] {
  const found: string[] = [];
  NEXT.lastIndex = 0;
  for (let match = NEXT.exec(text); match !== null; match = NEXT.exec(text)) {
    const [sign] = match;
    if (sign === '//') NEXT.lastIndex = after(text, '\n', NEXT.lastIndex);
    else if (sign === '/*') NEXT.lastIndex = after(text, '*/', NEXT.lastIndex);
    else if (sign.length === 1) NEXT.lastIndex = endOfText(text, sign, NEXT.lastIndex);
    else {
      // A property of that name (`Array.from("x")`) names no module.
      if (text[match.index - 1] === '.') continue;
      NAMED.lastIndex = NEXT.lastIndex;
      const specifier = NAMED.exec(text)?.[2];
      if (specifier === undefined) continue;
      found.push(specifier);
      NEXT.lastIndex = NAMED.lastIndex;
    }
  }
  return found;
}

function after(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from);
  return at === -1 ? text.length : at + end.length;
}

/** Just behind the closing quote. Only a template goes over the end of a line. */
function endOfText(text: string, quote: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '\\') at += 1;
    else if (sign === quote || (sign === '\n' && quote !== '`')) return at + 1;
  }
  return text.length;
}
