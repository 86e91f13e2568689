import type { Source } from './source.ts';
import type { Assertion, TestCase } from './test-case.ts';
import { testsInPython } from './tests-python.ts';
import { assertionsBesideTests, testsInScript } from './tests-script.ts';

/** The tests and groups of a file in order; none for a language that is not read. */
export function testsIn(source: Source): TestCase[] {
  if (source.language === 'script') return testsInScript(source);
  return source.language === 'python' ? testsInPython(source) : [];
}

/** Assertions of functions beside the tests; none for a language where they are not told apart. */
export function helperAssertionsIn(source: Source): Assertion[] {
  return source.language === 'script' ? assertionsBesideTests(source) : [];
}
