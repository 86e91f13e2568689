import { type ChangedFile, findingAt } from '../changed-file.ts';
import type { Finding } from '../finding.ts';
import { generatedBy, isAroundProduct } from '../paths.ts';
import { closing, codeLine, lineAt, type Source } from '../source.ts';
import type { Detector } from './detector.ts';

/** Comments that switch a check off, by language. */
const COMMENTS: { [language in Source['language']]: readonly [RegExp, string][] } = {
  script: [
    [/^[/*\s]*@ts-(?:ignore|nocheck|expect-error)\b/, 'type errors are ignored'],
    [
      /^[/*\s]*(?:eslint|oxlint|tslint|biome|deno|standard)-?(?:-disable|:disable|-ignore|-lint-ignore)/,
      'lint rules are switched off',
    ],
    [/^[/*\s]*(?:istanbul|c8|v8|node:coverage)\s+(?:ignore|disable)/, 'left out of the coverage'],
    [/^[/*\s]*(?:@type\s*\{\s*any\s*\}|NOSONAR)/, 'a check is switched off'],
  ],
  python: [
    [/^#\s*noqa\b|^#\s*(?:ruff|flake8):\s*noqa/i, 'lint rules are switched off'],
    [
      /^#\s*(?:type:\s*ignore|pyright:\s*ignore|mypy:\s*(?:ignore|disable)|pyre-ignore)/,
      'type errors are ignored',
    ],
    [/^#\s*pylint:\s*(?:disable|skip-file)/, 'lint rules are switched off'],
    [/^#\s*pragma:\s*no\s*(?:cover|branch)/, 'left out of the coverage'],
    [/^#\s*nosec\b/, 'a security check is switched off'],
  ],
  other: [],
};

const TYPES: { [language in Source['language']]: readonly [RegExp, string][] } = {
  script: [
    [/\bas\s+any\b|<any>\s*[\w(]/, 'a cast to any'],
    [/\bas\s+unknown\s+as\b|\bas\s+never\b/, 'a cast that no check goes through'],
    [/[)\w\]?]\s*:\s*any\b(?!\s*\.)|[<,]\s*any\b\s*(?:\[\]\s*)?[>,]/, 'the type any'],
  ],
  python: [
    [/\bcast\(\s*(?:typing\.)?Any\b/, 'a cast to Any'],
    [/(?::|->)\s*(?:typing\.)?Any\b/, 'the type Any'],
  ],
  other: [],
};

/** Marks of languages that are not read: only where a line begins with them, or ends. */
const PLAIN: readonly [RegExp, string][] = [
  [/^\s*#!?\[allow\(/, 'lint rules are switched off'],
  [/\/\/\s*nolint\b/, 'lint rules are switched off'],
  [/^\s*@SuppressWarnings\b|^\s*#pragma warning disable/, 'warnings are switched off'],
  [/#\s*rubocop:disable\b/, 'lint rules are switched off'],
];

/** What keeps a check from speaking: ignore comments, the type any, errors that are caught and dropped. */
export const suppressions: Detector = ({ files }) =>
  files.flatMap((file) => {
    const { after } = file;
    if (!after || generatedBy(file.path) !== null) return [];
    const fresh = new Set(file.newLines.map(({ line }) => line));
    if (after.language === 'other') return plainMarks(file);
    return [...inComments(file, after, fresh), ...inTypes(file, after), ...swallowed(file, after, fresh)];
  });

function plainMarks(file: ChangedFile): Finding[] {
  if (!/\.(?:rs|go|java|kt|cs|rb)$/.test(file.path)) return [];
  return file.newLines.flatMap(({ line, text }) => {
    const mark = PLAIN.find(([form]) => form.test(text.slice(0, 500)));
    return mark ? [findingAt(file, 'suppression-added', 'after', line, mark[1])] : [];
  });
}

function inComments(file: ChangedFile, after: Source, fresh: ReadonlySet<number>): Finding[] {
  return after.comments.flatMap(({ start, end }) => {
    const line = lineAt(after, start);
    if (!fresh.has(line)) return [];
    const text = after.text.slice(start, Math.min(end, start + 300));
    const mark = COMMENTS[after.language].find(([form]) => form.test(text));
    // In a test that is how one says that something must not compile.
    if (!mark || (isAroundProduct(file.path) && /^[/*\s]*@ts-expect-error\b/.test(text))) return [];
    return [findingAt(file, 'suppression-added', 'after', line, mark[1])];
  });
}

/** Tests cast as they like: there it says nothing of the product. Nor do declarations of others' code. */
function inTypes(file: ChangedFile, after: Source): Finding[] {
  if (isAroundProduct(file.path) || /\.d\.[cm]?ts$/.test(file.path)) return [];
  const before = countIn(file.goneLines.map(({ text }) => text));
  return file.newLines.flatMap(({ line }) => {
    const code = codeLine(after, line).slice(0, 1000);
    const mark = TYPES[after.language].find(([form]) => form.test(code));
    if (!mark) return [];
    // A line that was rewritten and had it before has gained nothing.
    const left = before.get(mark[1]) ?? 0;
    before.set(mark[1], left - 1);
    return left > 0 ? [] : [findingAt(file, 'suppression-added', 'after', line, mark[1])];
  });
}

function countIn(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [form, name] of [...TYPES.script, ...TYPES.python])
    counts.set(name, (counts.get(name) ?? 0) + lines.filter((line) => form.test(line.slice(0, 1000))).length);
  return counts;
}

function swallowed(file: ChangedFile, after: Source, fresh: ReadonlySet<number>): Finding[] {
  if (isAroundProduct(file.path)) return [];
  const places = after.language === 'script' ? emptyCatches(after) : broadExcepts(after);
  return places.flatMap(({ at, why }) => {
    const line = lineAt(after, at);
    return fresh.has(line) ? [findingAt(file, 'error-swallowed', 'after', line, why)] : [];
  });
}

interface Place {
  at: number;
  why: string;
}

/** Nothing at all, or nothing but a constant to return. */
const DROPS = /^\s*(?:return(?:\s+(?:null|undefined|false|true|''|""|\[\]|\{\}|0|-1))?\s*;?|continue;?)?\s*$/;

function emptyCatches(source: Source): Place[] {
  const { code } = source;
  const blocks = [...code.matchAll(/\bcatch\b\s*(?:\(([^()]*)\))?\s*(?=\{)/g)].flatMap((match) => {
    const open = match.index + match[0].length;
    const body = code.slice(open + 1, closing(source, open) - 1);
    return DROPS.test(body) ? [{ at: match.index, why: 'every error is caught and dropped' }] : [];
  });
  const callbacks = [
    ...code.matchAll(
      /\.catch\(\s*(?:async\s*)?(?:\(\s*\w*\s*\)|\w+)\s*=>\s*(?:\{\s*\}|null|undefined|false|void 0)\s*\)/g,
    ),
  ].map((match) => ({ at: match.index, why: 'every rejection is caught and dropped' }));
  return [...blocks, ...callbacks];
}

function broadExcepts({ code }: Source): Place[] {
  const blocks = [
    ...code.matchAll(
      /^([ \t]*)except(?:\s*|\s+\(?\s*(?:Base)?Exception\b[^:\n]*):[ \t]*(?:\n\s*)*(pass\b|\.\.\.|continue\b|return(?:[ \t]+(?:None|False|True|''|""|\[\]|\{\}|0|-1))?[ \t]*(?=\n|$))/gm,
    ),
  ].map((match) => ({ at: match.index + (match[1]?.length ?? 0), why: 'every error is caught and dropped' }));
  const managers = [...code.matchAll(/\bsuppress\(\s*(?:Base)?Exception\s*\)/g)].map((match) => ({
    at: match.index,
    why: 'every error is suppressed',
  }));
  return [...blocks, ...managers];
}
