import { closing, codeLine, lineAt, lineOf, type Source } from './source.ts';
import { type Assertion, flat, splitArguments, type TestCase } from './test-case.ts';

interface Open extends TestCase {
  indent: number;
}

/** pytest and unittest: functions named `test…`, in classes or not. */
export function testsInPython(source: Source): TestCase[] {
  const found: TestCase[] = [];
  const around: Open[] = [];
  let decorators: { text: string; start: number }[] = [];
  const { starts, text } = source;
  for (let line = 1; line <= starts.length; line += 1) {
    const here = codeLine(source, line);
    if (here.trim() === '' || insideBrackets(source, line)) continue;
    const indent = here.length - here.trimStart().length;
    const start = (starts[line - 1] ?? 0) + indent;
    while ((around.at(-1)?.indent ?? -1) >= indent) close(around.pop(), starts[line - 1] ?? text.length);
    if (here[indent] === '@') {
      decorators.push({ text: flat(text.slice(start, endOfStatement(source, start))), start });
      continue;
    }
    const head = /^(?:async\s+)?(def|class)\s+(\w+)/.exec(here.slice(indent));
    const [, word, name = ''] = head ?? [];
    const isTest = word === 'def' && name.startsWith('test');
    if (isTest || (word === 'class' && /^Test|Tests?$|TestCase$/.test(name))) {
      const one: Open = {
        name: [...around.map((outer) => outer.name).slice(-1), name].join(' > '),
        isGroup: !isTest,
        line,
        start: decorators[0]?.start ?? start,
        end: text.length,
        modifiers: decorators.flatMap((decorator) => modifierOf(decorator.text)),
        assertions: [],
        indent,
      };
      around.push(one);
      found.push(one);
    } else around.at(-1)?.assertions.push(...assertionAt(source, line, start));
    decorators = [];
  }
  return found;
}

function close(one: Open | undefined, end: number): void {
  if (one) one.end = end;
}

function modifierOf(decorator: string): string[] {
  const match =
    /^@(?:pytest\.mark\.|unittest\.|\w+\.)*(skip|skipif|skipIf|skipUnless|xfail|expectedFailure)\b/.exec(
      decorator,
    );
  return match?.[1] ? [match[1]] : [];
}

/** Lines inside brackets or a string that began earlier are part of the statement above. */
function insideBrackets(source: Source, line: number): boolean {
  return continued(source).has(line);
}

const CONTINUED = new WeakMap<Source, Set<number>>();

function continued(source: Source): Set<number> {
  const known = CONTINUED.get(source);
  if (known) return known;
  const lines = new Set<number>();
  let depth = 0;
  for (let line = 1; line <= source.starts.length; line += 1) {
    if (depth > 0) lines.add(line);
    for (const sign of codeLine(source, line)) {
      if ('([{'.includes(sign)) depth += 1;
      else if (')]}'.includes(sign)) depth = Math.max(0, depth - 1);
    }
  }
  for (const { start, end } of source.strings) {
    for (let line = lineAt(source, start) + 1; line <= lineAt(source, end - 1); line += 1) lines.add(line);
  }
  CONTINUED.set(source, lines);
  return lines;
}

function endOfStatement(source: Source, start: number): number {
  const { code } = source;
  for (let at = start; at < code.length; at += 1) {
    const sign = code[at] ?? '';
    if ('([{'.includes(sign)) at = closing(source, at) - 1;
    else if (sign === '\n' && code[at - 1] !== '\\') return at;
  }
  return code.length;
}

const COMPARISONS: readonly [RegExp, string][] = [
  [/ == /, '=='],
  [/ is not (?!None\b)/, 'is not'],
  [/ is not None\b/, 'is not None'],
  [/ is /, 'is'],
  [/ not in /, 'not in'],
  [/ in /, 'in'],
  [/ != /, '!='],
  [/ [<>]=? /, 'order'],
];

function assertionAt(source: Source, line: number, start: number): Assertion[] {
  const { code, text } = source;
  const head =
    /^(?:assert\b|(?:self|cls)\.assert\w*\s*(?=\()|(?:async\s+)?with\s+(?=pytest\.raises|self\.assert))/.exec(
      lineOf(source, line).trimStart(),
    );
  if (!head) return [];
  const end = endOfStatement(source, start);
  const whole = flat(text.slice(start, end));
  if (head[0] === 'assert') return [plainAssert(source, line, start + 6, end, whole)];
  const call = /(?:pytest\.raises|(?:self|cls)\.assert\w*)\s*(?=\()/.exec(code.slice(start, end));
  if (!call) return [];
  const open = start + call.index + call[0].length;
  const close = closing(source, open);
  const args = splitArguments(text.slice(open + 1, close - 1), code.slice(open + 1, close - 1));
  const matcher = call[0].trim().replace(/^.*\./, '');
  // Of an expected error the subject is the code below, which has no name here: the matcher stands for it.
  const raises = /raises/i.test(matcher);
  // What follows the error (and its message) is the call that must raise it.
  const about = /Regex/.test(matcher) ? 2 : 1;
  return [
    {
      line,
      text: whole,
      subject: raises ? '' : (args[0] ?? ''),
      matcher,
      args: raises ? raised(args, about) : args.slice(1),
    },
  ];
}

/** `pytest.raises(ValueError, match='x')` keeps its keyword, `assertRaises(ValueError, f, 1)` the error alone. */
function raised(args: readonly string[], about: number): string[] {
  return [...args.slice(0, about), ...args.slice(about).filter((arg) => arg.startsWith('match='))];
}

function plainAssert(source: Source, line: number, start: number, end: number, whole: string): Assertion {
  const code = source.code.slice(start, end);
  const [condition = ''] = splitArguments(source.text.slice(start, end), code);
  const isMixed = /\b(?:and|or)\b/.test(outermost(code));
  const level = outermost(code);
  const found = isMixed ? undefined : COMPARISONS.find(([form]) => form.test(level));
  if (!found)
    return { line, text: whole, subject: condition.replace(/^not /, ''), matcher: 'assert', args: [] };
  const [form, matcher] = found;
  const at = level.search(form);
  const right = at + (form.exec(level)?.[0].length ?? 0);
  return {
    line,
    text: whole,
    subject: flat(source.text.slice(start, start + at)),
    matcher: `assert ${matcher}`,
    args: [flat(source.text.slice(start + right, end))],
  };
}

/** Code with everything inside brackets blanked out. */
function outermost(code: string): string {
  let depth = 0;
  return Array.from(code, (sign) => {
    if (')]}'.includes(sign)) depth -= 1;
    const shown = depth > 0 ? '_' : sign === '\n' ? ' ' : sign;
    if ('([{'.includes(sign)) depth += 1;
    return shown;
  }).join('');
}
