import { closing, lineAt, type Source } from './source.ts';
import { type Assertion, flat, splitArguments, type TestCase } from './test-case.ts';

const DECLARATION =
  /(?<![\w$.])(?:(?:t|tap|QUnit|tt|st|s|Deno)\.)?(describe|context|suite|it|test|specify|fit|fdescribe|fcontext|xit|xtest|xdescribe|xcontext|xspecify)((?:\.[a-zA-Z]+)*)\s*(?=[(`<])/g;
const GROUPS = /^[fx]?(?:describe|context|suite)$/;
const DISTINCTIVE =
  'equal|notEqual|strictEqual|notStrictEqual|deepEqual|notDeepEqual|deepStrictEqual|notDeepStrictEqual|partialDeepStrictEqual|same|strictSame|throws|rejects|doesNotThrow|doesNotReject|ifError|hasStrict';
const RECEIVER = new RegExp(`(?<![\\w$.])([a-zA-Z][\\w$]*)\\.(?:assert\\.)?(?:${DISTINCTIVE})\\s*\\(`, 'g');

/** What asserts in this file: whatever has a method that only assertions have is asked with its other ones, too. */
function assertionForm(code: string): RegExp {
  const found = new Set([...code.matchAll(RECEIVER)].map((match) => match[1] ?? ''));
  const receivers = new Set(['t', 'tt', 'st', 's', 'a', 'tap', 'assert', ...found]);
  return new RegExp(
    `(?<![\\w$.])(?:expect|expectTypeOf|assertType|assert|should|expect\\.(?:soft|poll)|(?:chai\\.assert|QUnit\\.assert|${[...receivers].map((name) => name.replaceAll('$', '\\$')).join('|')})(?:\\.[a-zA-Z]+)+)\\s*(?=\\()`,
    'g',
  );
}

/** Members of a test context that assert nothing. */
const NO_ASSERTION =
  /^[\w$]+\.(?:test|plan|end|teardown|after|afterEach|before|beforeEach|comment|diagnostic|context|mock|skip|todo|skipAll|log|timeout|testdir|name|signal|assert\.plan|waitFor|runOnly|setTimeout|bail|capture|intercept|push|map|filter|forEach|slice|join|concat|split|replace|trim|toString|indexOf|includes|sort|localeCompare|get|set|add|has|delete|call|apply|bind)$/;

/** Jest, Vitest, Mocha, Jasmine, node:test, tap, tape, AVA: they declare a test by a call with its name. */
export function testsInScript(source: Source): TestCase[] {
  return readScript(source).tests;
}

/** What stands in functions beside the tests: helpers that tests call. */
export function assertionsBesideTests(source: Source): Assertion[] {
  return readScript(source).beside;
}

function readScript(source: Source): { tests: TestCase[]; beside: Assertion[] } {
  const found: TestCase[] = [];
  for (const match of source.code.matchAll(DECLARATION)) {
    const [whole, word = '', dots = ''] = match;
    const call = callWithName(source, match.index + whole.length, dots);
    if (!call) continue;
    found.push({
      name: call.name,
      isGroup: GROUPS.test(word),
      line: lineAt(source, match.index),
      start: match.index,
      end: call.end,
      modifiers: [...modifiersOf(word, dots), ...call.options],
      assertions: [],
    });
  }
  return withAssertions(nested(found), assertionsIn(source));
}

function modifiersOf(word: string, dots: string): string[] {
  const first = word[0] === 'x' ? ['skip'] : word[0] === 'f' ? ['only'] : [];
  return [...first, ...dots.split('.').filter((part) => part !== '')];
}

/** Steps over `.each(...)`, `.skipIf(...)` and type arguments to the call whose first argument is the name. */
function callWithName(
  source: Source,
  from: number,
  dots: string,
): { name: string; end: number; options: string[] } | null {
  const { code, text } = source;
  let at = from;
  if (code[at] === '<') at = afterTypes(code, at);
  if (/\.(?:each|for|skipIf|runIf|todoIf|extend)$/.test(dots)) {
    at = code[at] === '`' ? templateEnd(code, at) : closing(source, at);
    while (/\s/.test(code[at] ?? '')) at += 1;
  }
  if (code[at] !== '(') return null;
  const end = closing(source, at);
  const name = /^\(\s*(?:(["'`])|(?:async\s+)?function\s+(\w+))/.exec(
    code.slice(at, Math.min(end, at + 200)),
  );
  if (!name) return null;
  const [matched, quote, called] = name;
  if (called !== undefined) return { name: called, end, options: [] };
  const start = at + matched.length;
  const close = code.indexOf(quote ?? '', start);
  if (close < 0 || close > end) return null;
  // A name and nothing to run is a call of something else, or a test that was never written.
  if (!/^\s*,/.test(code.slice(close + 1, end)) && !dots.endsWith('.todo')) return null;
  const options =
    /^\s*,\s*\{([^{}]*)\}\s*,/.exec(code.slice(close + 1, Math.min(end, close + 200)))?.[1] ?? '';
  return {
    name: text.slice(start, close),
    end,
    // node:test, tap and vitest: `test('x', { skip: true }, …)`.
    options: optionsIn(options),
  };
}

/** A value that is no constant decides when the test runs. */
function optionsIn(text: string): string[] {
  return [...text.matchAll(/\b(skip|only|todo|fails)\s*:\s*([^,\s}]+)/g)].flatMap(
    ([, name = '', value = '']) => {
      if (value === 'false') return [];
      return name === 'skip' && !/^(?:true|["'`])/.test(value) ? ['skip under a condition'] : [name];
    },
  );
}

function afterTypes(code: string, start: number): number {
  let depth = 0;
  for (let at = start; at < Math.min(code.length, start + 500); at += 1) {
    if (code[at] === '<') depth += 1;
    else if (code[at] === '>' && code[at - 1] !== '=') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return start;
}

function templateEnd(code: string, start: number): number {
  const end = code.indexOf('`', start + 1);
  return end < 0 ? code.length : end + 1;
}

/** Names get those of the groups around them in front. */
function nested(cases: readonly TestCase[]): TestCase[] {
  const around: TestCase[] = [];
  return cases.map((one) => {
    while (around.length > 0 && (around.at(-1)?.end ?? 0) <= one.start) around.pop();
    const outer = around.at(-1);
    const named = outer ? { ...one, name: `${outer.name} > ${one.name}` } : one;
    around.push(named);
    return named;
  });
}

/** Each assertion goes to the innermost test around it. */
function withAssertions(
  tests: TestCase[],
  assertions: readonly (Assertion & { start: number })[],
): { tests: TestCase[]; beside: Assertion[] } {
  const beside: Assertion[] = [];
  for (const { start, ...assertion } of assertions) {
    const inner = tests.findLast((one) => one.start < start && start < one.end);
    (inner?.assertions ?? beside).push(assertion);
  }
  return { tests, beside };
}

function assertionsIn(source: Source): (Assertion & { start: number })[] {
  const { code, text } = source;
  const found: (Assertion & { start: number })[] = [];
  let behind = 0;
  for (const match of code.matchAll(assertionForm(code))) {
    const callee = match[0].trim();
    if (match.index < behind || NO_ASSERTION.test(callee)) continue;
    const open = match.index + match[0].length;
    const close = closing(source, open);
    const chain = callee.startsWith('expect') || callee === 'should' ? chainAt(source, close) : null;
    // `expect(x)` alone asserts nothing.
    if (callee.startsWith('expect') && !chain) continue;
    const args = splitArguments(text.slice(open + 1, close - 1), code.slice(open + 1, close - 1));
    const end = chain?.end ?? close;
    behind = end;
    found.push({
      start: match.index,
      line: lineAt(source, match.index),
      text: flat(text.slice(match.index, end)),
      subject: (chain ? args.join(', ') : args[0]) ?? '',
      matcher: chain?.matcher ?? callee.replace(/^.*\.(?=[a-zA-Z]+$)/, ''),
      args: chain ? chain.args : args.slice(1),
    });
  }
  return found;
}

/** `.not.resolves.toBe(1)` behind an `expect(...)`: the last call of the chain is the matcher. */
function chainAt(source: Source, from: number): { end: number; matcher: string; args: string[] } | null {
  const { code, text } = source;
  const link = /\s*\.\s*([a-zA-Z]+)/y;
  const words: string[] = [];
  let chain: { end: number; matcher: string; args: string[] } | null = null;
  for (let at = from; ; ) {
    link.lastIndex = at;
    const match = link.exec(code);
    if (!match) break;
    words.push(match[1] ?? '');
    at = link.lastIndex;
    let args: string[] = [];
    if (code[at] === '<') at = afterTypes(code, at);
    if (code[at] === '(') {
      const close = closing(source, at);
      args = splitArguments(text.slice(at + 1, close - 1), code.slice(at + 1, close - 1));
      at = close;
    }
    chain = { end: at, matcher: matcherOf(words), args };
  }
  return chain;
}

function matcherOf(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.includes('not') && last !== 'not' ? `not.${last}` : last;
}
