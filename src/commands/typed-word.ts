/**
 * The text that a shell makes of a word as it was typed: quotes and backslashes are taken away, also where they are not
 * closed yet. Nothing is expanded: `$(…)` and `$HOME` stay what they are.
 */
export function typedWord(word: string): string {
  let text = '';
  let quote = '';
  for (let at = 0; at < word.length; at += 1) {
    const sign = word[at] ?? '';
    const next = word[at + 1];
    if (sign === quote) quote = '';
    else if (quote === "'") text += sign;
    else if (quote === '' && (sign === "'" || sign === '"')) quote = sign;
    else if (sign === '\\' && next !== undefined && (quote === '' || '$`"\\'.includes(next))) {
      text += next;
      at += 1;
    } else text += sign;
  }
  return text;
}
