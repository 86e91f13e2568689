import { type ChangedFile, findingAt } from '../changed-file.ts';
import type { Finding } from '../finding.ts';
import { isTest } from '../paths.ts';
import { codeLine, lineAt } from '../source.ts';
import type { TestCase } from '../test-case.ts';
import type { Detector } from './detector.ts';
import { pairTests, type PairedTests } from './pair-tests.ts';

const SKIPS = /^(?:skip|todo|skipAll)$/;
/** A new test that cannot run everywhere takes nothing away; one that ran everywhere before does. */
const CONDITIONAL = /^(?:skipif|skipIf|skipUnless|runIf|skip under a condition)$/;
const FAILS = /^(?:fails|failing|fail|xfail|expectedFailure)$/;

/** Tests that are gone, do not run any more, or keep the others from running. */
export const testChanges: Detector = ({ files }) => {
  const pairs = pairTests(files);
  return files.flatMap((file) => {
    if (!isTest(file.path) && !isTest(file.oldPath)) return [];
    const paired = pairs.get(file);
    return [
      ...movedAway(file),
      ...(paired ? [...deleted(file, paired), ...changedModifiers(file, paired)] : []),
      ...(paired ? inBodies(file, paired) : []),
    ];
  });
};

/** A file that no runner takes for tests any more. */
function movedAway(file: ChangedFile): Finding[] {
  if (file.patch.status === 'deleted' || !isTest(file.oldPath) || isTest(file.path)) return [];
  return [
    {
      kind: 'test-disabled',
      file: file.path,
      line: null,
      side: 'after',
      text: file.path,
      detail: `${file.oldPath} was renamed: by its new name it is no test file`,
    },
  ];
}

function deleted(file: ChangedFile, { gone }: PairedTests): Finding[] {
  const tests = gone.filter((test) => !test.isGroup);
  if (file.patch.status === 'deleted' && tests.length > 0) {
    const count = tests.length === 1 ? 'one test' : `${tests.length} tests`;
    const [first] = tests;
    return [
      findingAt(file, 'test-deleted', 'before', first?.line ?? 1, `the file is gone, and ${count} with it`),
    ];
  }
  return tests.map((test) => {
    const renamed = test.name.replace(/^.* > /, '');
    const disabled = disabledFunction(file, renamed) ?? commentedOut(file, renamed);
    return disabled === null
      ? findingAt(file, 'test-deleted', 'before', test.line, `the test "${test.name}" is gone`)
      : findingAt(file, 'test-disabled', 'after', disabled, `the test "${test.name}" does not run any more`);
  });
}

/** In Python a test is switched off by its name alone: `_test_x`. */
function disabledFunction(file: ChangedFile, name: string): number | null {
  if (file.after?.language !== 'python') return null;
  const form = new RegExp(`\\bdef\\s+(?:[A-Za-z_]+)${escape(name)}\\b`);
  return file.newLines.find(({ text }) => form.test(text))?.line ?? null;
}

function commentedOut({ after }: ChangedFile, name: string): number | null {
  const comment = after?.comments.find(({ start, end }) => after.text.slice(start, end).includes(name));
  if (!after || !comment) return null;
  const at = after.text.indexOf(name, comment.start);
  return /\b(?:it|test|describe|specify|def)\b/.test(after.text.slice(comment.start, at + name.length))
    ? lineAt(after, at)
    : null;
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function changedModifiers(file: ChangedFile, { pairs, fresh }: PairedTests): Finding[] {
  const found: Finding[] = [];
  const look = (before: TestCase | null, after: TestCase): void => {
    const added = after.modifiers.filter((modifier) => !before?.modifiers.includes(modifier));
    const name = `the ${after.isGroup ? 'group' : 'test'} "${after.name}"`;
    for (const modifier of added) {
      // A new `todo` is a note for later, and takes nothing away.
      if (before === null && (modifier === 'todo' || CONDITIONAL.test(modifier))) continue;
      if (SKIPS.test(modifier) || CONDITIONAL.test(modifier))
        found.push(findingAt(file, 'test-skipped', 'after', after.line, `${name} is skipped (${modifier})`));
      else if (modifier === 'only')
        found.push(findingAt(file, 'test-focused', 'after', after.line, `${name} is the only one that runs`));
      else if (FAILS.test(modifier))
        found.push(
          findingAt(file, 'test-disabled', 'after', after.line, `${name} is expected to fail (${modifier})`),
        );
    }
  };
  for (const [before, after] of pairs) look(before, after);
  for (const after of fresh) look(null, after);
  return found;
}

const SKIP_CALL =
  /\b(?:this|t|tt|ctx|context|self|tap|pytest|unittest)\.(?:skip(?:Test)?|pending)\s*\(|^\s*pytestmark\s*=.*\bskip|\bpending\s*\(\s*\)|^\s*raise\s+(?:unittest\.)?SkipTest\b/;

/** Ways to leave that stand among the statements of a test. */
function inBodies(file: ChangedFile, { after: tests, fresh }: PairedTests): Finding[] {
  const { after } = file;
  if (!after) return [];
  return file.newLines.flatMap(({ line }) => {
    const code = codeLine(after, line);
    if (SKIP_CALL.test(code) && !isDecorator(code)) {
      // A test that is new and cannot run everywhere takes nothing away.
      const isFresh = fresh.some((test) => test.line < line && line <= lineAt(after, test.end));
      return isFresh ? [] : [findingAt(file, 'test-skipped', 'after', line, 'a call or mark that skips')];
    }
    if (!/^\s*return;?\s*$/.test(code)) return [];
    const around = tests.findLast(({ line: first, end }) => first < line && line <= lineAt(after, end));
    const opens = around && !around.isGroup && isFirstStatement(code, codeLine(after, around.line));
    return opens && around.assertions.some((assertion) => assertion.line > line)
      ? [
          findingAt(
            file,
            'test-disabled',
            'after',
            line,
            `the test "${around.name}" returns before its assertions`,
          ),
        ]
      : [];
  });
}

/** It belongs to a test, and was seen there. */
function isDecorator(code: string): boolean {
  return code.trimStart().startsWith('@');
}

/** Only one level deeper than the declaration: a return in a callback leaves nothing but the callback. */
function isFirstStatement(code: string, declaration: string): boolean {
  const depth = indentOf(code) - indentOf(declaration);
  return depth > 0 && depth <= (code.startsWith('\t') ? 1 : 4);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
