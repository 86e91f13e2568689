import { dirname } from 'node:path/posix';
import { objectOf } from '../../core/json.ts';
import { countOf, mostFirst } from './languages.ts';
import type { Listing } from './listing.ts';
import { jsonOf, textOf } from './manifest.ts';

const MAX_FOLDERS = 8;

/** Where tests lie, and what runs them. */
export interface TestFacts {
  files: number;
  /** The uppermost folders that hold tests, most tests first; `.` for the top. */
  folders: string[];
  /** As far as the project's own files name them: `vitest`, `pytest` … */
  runners: string[];
}

const TEST_FILE =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e)\/|[._-](?:test|spec)\.[cm]?[jt]sx?$|_test\.(?:go|py|exs?|rb)$|(?:^|\/)test_[^/]*\.py$|_spec\.rb$|Tests?\.(?:java|kt|cs|swift|php)$/;
const TEST_FOLDER = /^(.*?(?:^|\/)(?:tests?|__tests__|specs?|e2e))\//;

/** Packages that run tests, as they stand in the dependencies of a package.json. */
const PACKAGES = ['vitest', 'jest', 'mocha', 'ava', 'tap', 'jasmine', '@playwright/test', 'cypress'];

/** Whether a source file is a test, or helps tests. */
export function isTestFile(path: string): boolean {
  return TEST_FILE.test(path);
}

export function findTests(listing: Pick<Listing, 'paths' | 'read'>, sources: readonly string[]): TestFacts {
  const files = sources.filter(isTestFile);
  const folders = mostFirst(countOf(files.map((path) => TEST_FOLDER.exec(path)?.[1] ?? dirname(path))));
  return {
    files: files.length,
    folders: folders.slice(0, MAX_FOLDERS).map(([folder]) => folder),
    runners: runnersOf(listing, files),
  };
}

function runnersOf({ paths, read }: Pick<Listing, 'paths' | 'read'>, tests: readonly string[]): string[] {
  const manifest = jsonOf(read('package.json'));
  const packages = { ...objectOf(manifest?.['dependencies']), ...objectOf(manifest?.['devDependencies']) };
  const scripts = Object.values(objectOf(manifest?.['scripts']));
  const python = textOf(read('pyproject.toml'));
  const facts: [runner: string, known: boolean][] = [
    ...PACKAGES.map((name): [string, boolean] => [name, Object.hasOwn(packages, name)]),
    ['node --test', scripts.some((text) => typeof text === 'string' && /\bnode\b.*--test\b/.test(text))],
    [
      'pytest',
      /\bpytest\b/.test(python) || paths.some((path) => /(?:^|\/)(?:pytest\.ini|conftest\.py)$/.test(path)),
    ],
    ['cargo test', paths.includes('Cargo.toml')],
    ['go test', tests.some((path) => path.endsWith('_test.go'))],
    ['rspec', paths.includes('.rspec') || tests.some((path) => path.endsWith('_spec.rb'))],
    ['mvn test', paths.includes('pom.xml')],
    ['gradle test', paths.some((path) => /^build\.gradle(?:\.kts)?$/.test(path))],
  ];
  return facts.filter(([, known]) => known).map(([runner]) => runner);
}
