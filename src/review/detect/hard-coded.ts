import { type ChangedFile, findingAt } from '../changed-file.ts';
import type { Finding } from '../finding.ts';
import { generatedBy, isAroundProduct, isTest } from '../paths.ts';
import { codeLine, lineOf, type Source } from '../source.ts';
import { sourceOf } from '../source.ts';
import { testsIn } from '../tests.ts';
import type { Detector } from './detector.ts';

/** A value of a test: what went in and what must come out, as they are written. */
interface Expectation {
  file: string;
  line: number;
  literals: Set<string>;
  expected: Set<string>;
}

const LITERAL = /(["'`])((?:(?!\1)[^\\\n]|\\.)*)\1|(?<![\w.$])-?\d[\d_]*(?:\.\d+)?(?![\w.])/g;

/**
 * Answers that were written for a test: `if (x === <what the test passes>) return <what it expects>`, and a returned
 * value so particular that only the test can be where it comes from.
 */
export const hardCoded: Detector = ({ files, testTexts }) => {
  const product = files.filter(
    (file) =>
      file.after &&
      file.after.language !== 'other' &&
      !isAroundProduct(file.path) &&
      generatedBy(file.path) === null,
  );
  const candidates = product.flatMap((file) => answersIn(file));
  if (candidates.length === 0) return [];
  const expectations = [...textsOfTests(files, testTexts)].flatMap(([path, text]) =>
    expectationsIn(path, text),
  );
  return candidates.flatMap(({ file, line, input, output }): Finding[] => {
    const match = expectations.find(
      ({ literals, expected }) =>
        expected.has(output) && (input === null ? isParticular(output) : literals.has(input)),
    );
    if (!match) return [];
    const what = input === null ? `${output} is returned as it is` : `${output} is the answer to ${input}`;
    return [
      findingAt(
        file,
        'value-hard-coded',
        'after',
        line,
        `${what}, and ${match.file}:${match.line} asserts it`,
      ),
    ];
  });
};

function textsOfTests(
  files: readonly ChangedFile[],
  testTexts: ReadonlyMap<string, string>,
): Map<string, string> {
  const texts = new Map(testTexts);
  for (const { path, after } of files) if (after && isTest(path)) texts.set(path, after.text);
  return texts;
}

/** What a new line returns for one particular value, or for every value. */
function answersIn(
  file: ChangedFile,
): { file: ChangedFile; line: number; input: string | null; output: string }[] {
  const { after } = file;
  if (!after) return [];
  return file.newLines.flatMap(({ line }) => {
    const output = returned(after, line);
    if (output === null || isOrdinary(output)) return [];
    // A condition may stand on the same line or on the one above.
    const input = comparedOn(after, line) ?? comparedOn(after, line - 1);
    // A value that was there before was not made up for the test.
    if (file.before?.text.includes(output)) return [];
    return [{ file, line, input, output }];
  });
}

function returned(source: Source, line: number): string | null {
  const code = codeLine(source, line);
  const text = lineOf(source, line);
  const at = /\breturn\b\s*\(?\s*|(?<![=!<>])=>\s*(?=["'`\d-])/.exec(code);
  if (!at) return null;
  const rest = text.slice(at.index + at[0].length);
  const match =
    /^(["'`](?:[^"'`\\\n]|\\.)*["'`]|-?\d[\d_]*(?:\.\d+)?)\s*\)?\s*;?\s*(?:\}.*)?(?:(?:\/\/|#).*)?$/.exec(
      rest,
    );
  return match?.[1] === undefined ? null : normal(match[1]);
}

function comparedOn(source: Source, line: number): string | null {
  const code = codeLine(source, line);
  if (!/\b(?:if|elif|case|when)\b|\?/.test(code)) return null;
  const text = lineOf(source, line);
  const compared = /(?:===?|\bis\b|\bcase)\s*(["'`](?:[^"'`\\\n]|\\.)*["'`]|-?\d[\d_]*(?:\.\d+)?)/.exec(
    text,
  )?.[1];
  return compared === undefined ? null : normal(compared);
}

/** Values that stand for themselves in any program. */
function isOrdinary(literal: string): boolean {
  return /^-?[01]$|^""$|^"."$/.test(literal);
}

/** So long or so odd that nobody writes it twice by chance. */
function isParticular(literal: string): boolean {
  if (/^-?\d/.test(literal))
    return (
      literal.replace(/\D/g, '').length >= 3 &&
      !/^-?(?:[1-9]0+|1024|2048|4096|[1-5]\d\d|256|128|65535|65536)$/.test(literal)
    );
  // Names of kinds and states are short words; an answer has more to it.
  return literal.length >= 10 && /[\s\d:,;<>/]/.test(literal.slice(1, -1));
}

function normal(literal: string): string {
  return /^["'`]/.test(literal) ? `"${literal.slice(1, -1)}"` : literal.replaceAll('_', '');
}

function expectationsIn(path: string, text: string): Expectation[] {
  return testsIn(sourceOf(path, text)).flatMap((test) =>
    test.assertions
      .filter(({ matcher }) =>
        /^(?:to(?:Be|Equal|StrictEqual|HaveBeenCalledWith)|.*[eE]qual\w*|is|same|eql?|assert ==|assertEqual)$/.test(
          matcher,
        ),
      )
      .map((assertion) => ({
        file: path,
        line: assertion.line,
        literals: literalsIn(text.slice(test.start, test.end)),
        expected: literalsIn(assertion.args.join(', ')),
      })),
  );
}

function literalsIn(text: string): Set<string> {
  return new Set([...text.matchAll(LITERAL)].map((match) => normal(match[0])));
}
