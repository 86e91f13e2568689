/** A letter, digit, mark or underscore, of a script that puts something between its words. */
const WORD =
  /^(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}])[\p{L}\p{M}\p{N}_]$/u;

/**
 * Whether a text has a keyword as a word of its own, in any case: no letter, digit or underscore stands right before or
 * after it. A keyword may have signs at its edges (`c++`, `.env`) and blanks in it; several blanks count as one. Scripts
 * that do not separate words have no such edge, so there a keyword is found anywhere.
 *
 * The text is prepared once for all keywords, and searched without regular expressions: two thousand of them cost more
 * than a hook may take.
 */
export function keywordFinder(text: string): (keyword: string) => boolean {
  const prepared = folded(text);
  return (keyword) => {
    const wanted = folded(keyword).trim();
    if (wanted === '') return false;
    for (let at = prepared.indexOf(wanted); at >= 0; at = prepared.indexOf(wanted, at + 1)) {
      if (standsAlone(prepared, at, at + wanted.length)) return true;
    }
    return false;
  };
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ');
}

function standsAlone(text: string, start: number, end: number): boolean {
  return !(
    (isWord(signBefore(text, start)) && isWordOrSign(signAt(text, start))) ||
    (isWord(signAt(text, end)) && isWordOrSign(signBefore(text, end)))
  );
}

function isWord(sign: string): boolean {
  return WORD.test(sign);
}

/** The edge of the keyword itself: of a script without word edges it needs none. */
function isWordOrSign(sign: string): boolean {
  return WORD.test(sign) || !/^\p{L}$/u.test(sign);
}

function signAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function signBefore(text: string, at: number): string {
  const low = text.charCodeAt(at - 1);
  return at > 1 && low >= 0xdc00 && low <= 0xdfff ? signAt(text, at - 2) : text.charAt(at - 1);
}
