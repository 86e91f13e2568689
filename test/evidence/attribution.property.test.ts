import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Change } from '../../src/rundir/result.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { plainEnv, watch } from './watching.ts';

/** What a path holds: `file <mode> <hex>` or `link <target>`. */
type Tree = Map<string, string>;

/** One thing that a person or an implementer does to the working tree. Numbers choose among the paths that are there. */
type Step =
  | { do: 'write'; path: string; content: Uint8Array }
  | { do: 'append'; pick: number; line: string }
  | { do: 'delete'; pick: number }
  | { do: 'rename'; pick: number; to: string }
  | { do: 'executable'; pick: number }
  | { do: 'link'; path: string; target: string };

const segment = fc.constantFrom('a', 'b', 'c d', 'é"', 'x\ny', '-n', 'sub', 'Sub');
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const line = fc.stringMatching(/^[a-z ]{0,12}$/);
const content = fc.oneof(
  fc.array(line, { maxLength: 8 }).map((all) => Buffer.from(all.map((one) => `${one}\n`).join(''))),
  fc.uint8Array({ maxLength: 40 }),
  fc.constant(Buffer.from('no end of line')),
  fc.constant(Buffer.from('a\r\nb\r\n')),
);
const pick = fc.nat(50);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('write' as const), path, content }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('append' as const), pick, line }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rename' as const), pick, to: path }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('executable' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('link' as const), path, target: segment }) },
);
const steps = (maxLength: number): fc.Arbitrary<Step[]> => fc.array(step, { maxLength });

describe('attribution', () => {
  it('equals the edits, whatever the repository, the dirt in it and the edits are', {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        steps(12),
        steps(6),
        fc.subarray(['some', 'all', 'none', 'stash', 'intent'] as const, { minLength: 1, maxLength: 2 }),
        steps(6),
        steps(6),
        async (base, staged, staging, unstaged, edits) => {
          const repository = makeRepository({ files: null });
          apply(repository.dir, base);
          repository.commit();
          if (staging.includes('stash')) {
            repository.write({ 'in the stash': 's\n' });
            repository.git('stash', 'push', '-q', '-u');
          }
          apply(repository.dir, staged);
          stage(repository, staging);
          apply(repository.dir, unstaged);
          const before = readTree(repository.dir);
          const untouched = repository.fingerprint();

          const report = await watch(repository.dir, () => apply(repository.dir, edits));

          const after = readTree(repository.dir);
          expect(repository.fingerprint()).toEqual(untouched);
          expect(report.evidence.coverage.gaps).toEqual([]);
          expect(report.evidence.violations).toEqual([]);
          expect(outcomeOf(report.evidence.changes)).toEqual(differences(before, after));
          expect(report.evidence.tree).toBe(differences(before, after).size === 0 ? 'unchanged' : 'changed');
          expect(patched(before, report.patchPath)).toEqual(after);
          for (const change of report.evidence.changes) {
            expect({ ...change, preexisting: isDirty(repository, before, change) }).toEqual(change);
          }
        },
      ),
      {
        numRuns: Number(process.env['BATON_PROPERTY_RUNS'] ?? 40),
        // A link that was renamed, and a folder in its place: git says so in a patch that it cannot apply.
        examples: [
          [
            [],
            [],
            ['all'],
            [{ do: 'link', path: 'b', target: 'a' }],
            [
              { do: 'rename', pick: 0, to: 'a' },
              { do: 'write', path: 'b/a', content: Buffer.from('') },
            ],
          ],
        ],
      },
    );
  });
});

function apply(dir: string, todo: readonly Step[]): void {
  for (const one of todo) {
    const there = [...readTree(dir).keys()];
    const file = 'path' in one ? one.path : there[one.pick % Math.max(1, there.length)];
    if (file === undefined) continue;
    const at = join(dir, file);
    const isFile = there.includes(file) && lstatSync(at).isFile();
    if (one.do === 'write') place(dir, file, () => writeFileSync(at, one.content));
    if (one.do === 'link') place(dir, file, () => symlinkSync(one.target, at));
    if (one.do === 'append' && isFile) writeFileSync(at, `${one.line}\n`, { flag: 'a' });
    if (one.do === 'executable' && isFile) chmodSync(at, lstatSync(at).mode & 0o100 ? 0o644 : 0o755);
    if (one.do === 'delete') rmSync(at);
    if (one.do === 'rename' && !`${one.to}/`.startsWith(`${file}/`))
      place(dir, one.to, () => renameSync(at, join(dir, one.to)), file);
  }
}

/** Makes room for `file`: what is in the way goes, but for `keep`. Nothing happens where `keep` itself is in the way. */
function place(dir: string, file: string, write: () => void, keep?: string): void {
  if (keep?.startsWith(`${file}/`)) return;
  for (let parent = dirname(file); parent !== '.'; parent = dirname(parent)) {
    if (readTree(dir).has(parent)) rmSync(join(dir, parent));
  }
  rmSync(join(dir, file), { recursive: true, force: true });
  mkdirSync(dirname(join(dir, file)), { recursive: true });
  write();
}

function stage(repository: TestRepository, how: readonly string[]): void {
  if (how.includes('all')) repository.git('add', '-A');
  if (how.includes('some')) repository.git('add', '-u');
  if (how.includes('intent')) repository.git('add', '-N', '.');
}

function readTree(dir: string): Tree {
  const tree: Tree = new Map();
  const visit = (folder: string): void => {
    for (const name of readdirSync(join(dir, folder)).sort()) {
      const file = folder === '' ? name : `${folder}/${name}`;
      if (file === '.git') continue;
      const stat = lstatSync(join(dir, file));
      if (stat.isDirectory()) visit(file);
      else if (stat.isSymbolicLink()) tree.set(file, `link ${readlinkSync(join(dir, file))}`);
      else tree.set(file, `file ${stat.mode & 0o100 ? 'x' : '-'} ${readFileSync(join(dir, file), 'hex')}`);
    }
  };
  visit('');
  return new Map([...tree].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Path to `added`, `deleted` or `changed`. */
function differences(before: Tree, after: Tree): Map<string, string> {
  const found = new Map<string, string>();
  for (const [file, what] of before)
    if (after.get(file) !== what) found.set(file, after.has(file) ? 'changed' : 'deleted');
  for (const file of after.keys()) if (!before.has(file)) found.set(file, 'added');
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function outcomeOf(changes: readonly Change[]): Map<string, string> {
  const found: [string, string][] = changes.flatMap(({ kind, path, from }): [string, string][] => {
    if (kind === 'renamed')
      return [
        [from ?? '', 'deleted'],
        [path, 'added'],
      ];
    return [[path, kind === 'added' || kind === 'deleted' ? kind : 'changed']];
  });
  return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What `git apply` makes of the patch on a copy of the tree before. */
function patched(before: Tree, patch: string | null): Tree {
  const dir = temporaryFolder();
  for (const [file, what] of before) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    if (what.startsWith('link ')) symlinkSync(what.slice(5), join(dir, file));
    else
      writeFileSync(join(dir, file), Buffer.from(what.slice(7), 'hex'), {
        mode: what[5] === 'x' ? 0o755 : 0o644,
      });
  }
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'core.autocrlf=false', ...args], {
      cwd: dir,
      env: plainEnv(),
      stdio: 'pipe',
    });
  // In the index, where a link that leads to itself is no trouble to git; then on disk.
  git('init', '-q');
  git('add', '-A');
  if (patch !== null && lstatSync(patch).size > 0) git('apply', '--cached', '--whitespace=nowarn', patch);
  for (const name of readdirSync(dir)) if (name !== '.git') rmSync(join(dir, name), { recursive: true });
  git('checkout-index', '-q', '-a');
  return readTree(dir);
}

/** Whether the path, or the one it was renamed from, was not as HEAD has it. */
function isDirty(repository: TestRepository, before: Tree, { path, from }: Change): boolean {
  return [path, ...(from === undefined ? [] : [from])].some(
    (file) => before.get(file) !== committed(repository, file),
  );
}

function committed(repository: TestRepository, file: string): string | undefined {
  const [mode, , oid] = repository.git('ls-tree', '-z', 'HEAD', '--', `:(literal)${file}`).split(/[ \t]/);
  if (oid === undefined || mode === '040000') return undefined;
  const bytes = execFileSync('git', ['cat-file', 'blob', oid], { cwd: repository.dir, env: plainEnv() });
  return mode === '120000'
    ? `link ${bytes.toString()}`
    : `file ${mode === '100755' ? 'x' : '-'} ${bytes.toString('hex')}`;
}
