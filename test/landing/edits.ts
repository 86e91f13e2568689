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
import type { TestRepository } from '../support/repository.ts';

/** What somebody does to a working tree. Numbers choose among the paths, and the lines, that are there. */
export type Edit =
  | { do: 'write'; path: string; lines: string[] }
  | { do: 'change' | 'insert' | 'cut'; pick: number; at: number; line: string }
  | { do: 'delete' | 'executable'; pick: number }
  | { do: 'rename'; pick: number; to: string }
  | { do: 'link'; path: string; target: string };

/** Contents by path: `file - <text>`, `file x <text>` or `link <target>`. */
export type Tree = ReadonlyMap<string, string>;

const segment = fc.constantFrom('a', 'b', 'c d', 'é"', 'x\ny', '-n', 'sub');
const path = fc.array(segment, { minLength: 1, maxLength: 2 }).map((parts) => parts.join('/'));
const pick = fc.nat(50);

/** Up to `maxLength` edits of one person, whose lines begin with `who`; the same line may be written twice. */
export function edits(who: string, maxLength: number): fc.Arbitrary<Edit[]> {
  const line = fc.nat(6).map((number) => `${who}${number}`);
  const lines = fc.array(line, { maxLength: 24 });
  const one: fc.Arbitrary<Edit> = fc.oneof(
    { weight: 2, arbitrary: fc.record({ do: fc.constant('write' as const), path, lines }) },
    {
      weight: 8,
      arbitrary: fc.record({ do: fc.constantFrom('change', 'insert', 'cut'), pick, at: pick, line }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('delete', 'executable'), pick }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('rename' as const), pick, to: path }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('link' as const), path, target: segment }) },
  );
  return fc.array(one, { maxLength });
}

/** A repository's first files: long enough that edits of two people often miss each other. */
export const baseFiles: fc.Arbitrary<{ [path: string]: string }> = fc
  .array(fc.tuple(path, fc.integer({ min: 0, max: 30 })), { maxLength: 5 })
  .map((all) => {
    const found: { [path: string]: string } = {};
    for (const [name, length] of all) {
      const clashes = Object.keys(found).some(
        (one) => `${one}/`.startsWith(`${name}/`) || `${name}/`.startsWith(`${one}/`),
      );
      if (!clashes) found[name] = Array.from({ length }, (_, at) => `base ${at % 20}\n`).join('');
    }
    return found;
  });

export function apply(dir: string, todo: readonly Edit[]): void {
  for (const one of todo) {
    const there = [...readTree(dir).keys()];
    const name = 'path' in one ? one.path : there[one.pick % Math.max(1, there.length)];
    if (name === undefined) continue;
    const at = join(dir, name);
    const isFile = there.includes(name) && lstatSync(at).isFile();
    if (one.do === 'write')
      place(dir, name, () => writeFileSync(at, one.lines.map((line) => `${line}\n`).join('')));
    else if (one.do === 'link') place(dir, name, () => symlinkSync(one.target, at));
    else if (one.do === 'delete') rmSync(at);
    else if (one.do === 'executable' && isFile) chmodSync(at, lstatSync(at).mode & 0o100 ? 0o644 : 0o755);
    else if (one.do === 'rename' && !`${one.to}/`.startsWith(`${name}/`))
      place(dir, one.to, () => renameSync(at, join(dir, one.to)), name);
    else if ('line' in one && isFile) writeFileSync(at, editedLines(readFileSync(at, 'utf8'), one));
  }
}

function editedLines(text: string, { do: kind, at, line }: Extract<Edit, { line: string }>): string {
  const lines = text.split('\n').slice(0, -1);
  const place = at % (lines.length + 1);
  if (kind === 'insert') lines.splice(place, 0, line);
  else lines.splice(place, 1, ...(kind === 'change' ? [line] : []));
  return lines.map((one) => `${one}\n`).join('');
}

/** Makes room for `file`: what is in the way goes, but for `keep`. */
function place(dir: string, file: string, write: () => void, keep?: string): void {
  if (keep?.startsWith(`${file}/`)) return;
  for (let parent = dirname(file); parent !== '.'; parent = dirname(parent)) {
    if (readTree(dir).has(parent)) rmSync(join(dir, parent));
  }
  rmSync(join(dir, file), { recursive: true, force: true });
  mkdirSync(dirname(join(dir, file)), { recursive: true });
  write();
}

export function readTree(dir: string): Tree {
  const tree = new Map<string, string>();
  const visit = (folder: string): void => {
    for (const name of readdirSync(join(dir, folder)).sort()) {
      const file = folder === '' ? name : `${folder}/${name}`;
      if (file === '.git') continue;
      const stat = lstatSync(join(dir, file));
      if (stat.isDirectory()) visit(file);
      else if (stat.isSymbolicLink()) tree.set(file, `link ${readlinkSync(join(dir, file))}`);
      else tree.set(file, `file ${stat.mode & 0o100 ? 'x' : '-'} ${readFileSync(join(dir, file), 'utf8')}`);
    }
  };
  visit('');
  return tree;
}

/** The same of a commit, or with an empty name of the index; entries of `git add -N` are left out. */
export function committedTree(repository: TestRepository, commit: string): Tree {
  const records =
    commit === ''
      ? repository.git('ls-files', '-z', '--stage').split('\0')
      : repository.git('ls-tree', '-r', '-z', '--full-tree', commit).split('\0');
  const tree = new Map<string, string>();
  for (const record of records.filter(Boolean)) {
    const tab = record.indexOf('\t');
    const [head, name] = [record.slice(0, tab), record.slice(tab + 1)];
    const fields = head.split(' ');
    const mode = fields[0] ?? '';
    const oid = (commit === '' ? fields[1] : fields[2]) ?? '';
    const content = blobOf(repository, oid);
    tree.set(
      name,
      mode === '120000' ? `link ${content}` : `file ${mode === '100755' ? 'x' : '-'} ${content}`,
    );
  }
  if (commit === '') for (const name of intended(repository)) tree.delete(name);
  return tree;
}

/** Paths that are only marked with `git add -N`. */
function intended(repository: TestRepository): string[] {
  const listed = repository.git('ls-files', '--debug', '-z').split('\0');
  return listed.slice(0, -1).flatMap((record, at) => {
    const name = record.replace(/^(?: {2}[^\n]*\n)+/, '');
    const flags = /flags: ([0-9a-f]+)/.exec(listed[at + 1] ?? '')?.[1] ?? '0';
    return Number.parseInt(flags, 16) & 0x20000000 ? [name] : [];
  });
}

function blobOf(repository: TestRepository, oid: string): string {
  const text = repository.git('cat-file', 'blob', oid);
  const size = Number(repository.git('cat-file', '-s', oid));
  return Buffer.byteLength(text) < size ? `${text}\n` : text;
}
