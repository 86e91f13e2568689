// Two folders of a package as the two sides of a run: what the review finds in the step from one to the other.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleModules } from '../bundle.mjs';

const PATCH = ['-p', '--binary', '--full-index', '--no-color', '--src-prefix=a/', '--dst-prefix=b/'];

/** Loads the product's own modules, bundled once. */
export async function loadReview() {
  const folder = mkdtempSync(join(tmpdir(), 'baton-bench-review-'));
  await bundleModules(folder, {
    patch: 'review/patch.ts',
    contents: 'review/contents.ts',
    files: 'review/changed-file.ts',
    all: 'review/detect/all.ts',
    paths: 'review/paths.ts',
    tests: 'review/tests.ts',
    source: 'review/source.ts',
  });
  const load = (name) => import(pathToFileURL(join(folder, `${name}.mjs`)).href);
  const [patch, contents, files, all, paths, tests, source] = await Promise.all(
    ['patch', 'contents', 'files', 'all', 'paths', 'tests', 'source'].map(load),
  );
  return {
    ...patch,
    ...contents,
    ...files,
    ...all,
    ...paths,
    ...tests,
    ...source,
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A scratch repository, and the step from one state of it to another. */
export function scratchRepository() {
  const dir = mkdtempSync(join(tmpdir(), 'baton-bench-review-'));
  const env = {
    PATH: process.env.PATH,
    HOME: dir,
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
  };
  const git = (...args) => execFileSync('git', args, { cwd: dir, env, maxBuffer: 1024 ** 3 });
  git('init', '-q');
  git('config', 'gc.auto', '0');
  const clear = () => {
    for (const name of readdirSync(dir)) if (name !== '.git') rmSync(join(dir, name), { recursive: true });
  };
  const tree = () => {
    git('add', '-A', '-f');
    return git('write-tree').toString().trim();
  };
  return {
    env,
    dir,
    /** The tree of these files. */
    ofFiles(files) {
      clear();
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(dir, path)), { recursive: true });
        writeFileSync(join(dir, path), text);
      }
      return tree();
    },
    /** The tree of a folder. */
    ofFolder(folder) {
      clear();
      cpSync(folder, dir, { recursive: true });
      return tree();
    },
    patch: (before, after) => git('diff-tree', '-r', '-M', ...PATCH, before, after),
    close: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** The findings between two trees, and how much was changed. */
export async function findingsBetween(review, repository, before, after, more = {}) {
  const bytes = repository.patch(before, after);
  const started = performance.now();
  const patches = review.parsePatch(bytes);
  const contents = await review.readContents(
    patches.flatMap(({ oldOid, newOid }) => [oldOid, newOid]).filter(Boolean),
    {
      repository: {
        top: repository.dir,
        gitDir: join(repository.dir, '.git'),
        commonDir: join(repository.dir, '.git'),
      },
      objects: join(repository.dir, '.git', 'objects'),
      env: repository.env,
      maxBytes: 2 ** 21,
    },
  );
  const files = review.changedFiles(patches, contents);
  const findings = review.findingsOf({
    result: resultOf(patches, more.message ?? ''),
    files,
    gates: more.gates ?? null,
    calls: [],
    testTexts: more.testTexts ?? new Map(),
  });
  const lines = patches
    .flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines))
    .filter(({ mark }) => mark !== ' ').length;
  return { findings, files, lines, ms: performance.now() - started, bytes: bytes.length };
}

function resultOf(patches, finalMessage) {
  return {
    finalMessage,
    workdir: '/project',
    readOnly: false,
    agent: { claim: 'success', denials: [] },
    evidence: {
      tree: 'changed',
      violations: [],
      coverage: { complete: true, gaps: [] },
      changes: patches.map(({ path, from, status }) => ({
        path,
        ...(from && { from }),
        kind: from ? 'renamed' : status,
      })),
    },
  };
}
