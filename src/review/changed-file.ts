import { truncate } from '../core/text.ts';
import type { Contents } from './contents.ts';
import type { Finding, FindingKind } from './finding.ts';
import type { FilePatch } from './patch.ts';
import { lineOf, type Source, sourceOf } from './source.ts';

/** One changed file: its patch, and both of its sides as far as they could be read. */
export interface ChangedFile {
  path: string;
  /** The old path where it was renamed, else the same. */
  oldPath: string;
  patch: FilePatch;
  /** Null where that side does not exist or was not read. */
  before: Source | null;
  after: Source | null;
  /** What was written anew: lines that were moved or indented are not among them. In order. */
  newLines: NumberedLine[];
  /** What is gone from everywhere. In order. */
  goneLines: NumberedLine[];
}

export interface NumberedLine {
  /** From 1, on the side that has it. */
  line: number;
  text: string;
}

const LINK = '120000';

/** Joins patch and contents. Lines of a file that moved to another one of the run count as moved. */
export function changedFiles(patches: readonly FilePatch[], contents: Contents): ChangedFile[] {
  const gone = new Bag(patches, '-');
  const fresh = new Bag(patches, '+');
  return patches.map((patch) => {
    const oldPath = patch.from ?? patch.path;
    const side = (oid: string | null, mode: string | null, path: string): Source | null => {
      const bytes = oid === null || mode === LINK ? undefined : contents.get(oid);
      return bytes === undefined || isBinary(bytes) ? null : sourceOf(path, bytes.toString('utf8'));
    };
    return {
      path: patch.path,
      oldPath,
      patch,
      before: side(patch.oldOid, patch.oldMode, oldPath),
      after: side(patch.newOid, patch.newMode, patch.path),
      newLines: numbered(patch, '+').filter(({ text }) => !gone.take(text)),
      goneLines: numbered(patch, '-').filter(({ text }) => !fresh.take(text)),
    };
  });
}

/** Git's own rule: a NUL in the first 8000 bytes. */
function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8000).includes(0);
}

/** Lines without their indentation, each as often as it was removed or added. */
class Bag {
  readonly #counts = new Map<string, number>();

  constructor(patches: readonly FilePatch[], mark: '+' | '-') {
    for (const patch of patches) {
      for (const { text } of numbered(patch, mark)) {
        const key = text.trim();
        this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
      }
    }
  }

  take(text: string): boolean {
    const key = text.trim();
    const count = this.#counts.get(key) ?? 0;
    if (count > 0) this.#counts.set(key, count - 1);
    return count > 0;
  }
}

function numbered(patch: FilePatch, mark: '+' | '-'): NumberedLine[] {
  return patch.hunks.flatMap((hunk) => {
    let line = mark === '+' ? hunk.newStart : hunk.oldStart;
    const other = mark === '+' ? '-' : '+';
    return hunk.lines.flatMap(({ mark: own, text }) => {
      if (own === other) return [];
      const here = { line, text };
      line += 1;
      return own === mark ? [here] : [];
    });
  });
}

/** A finding at a line of one side of a file. */
export function findingAt(
  file: ChangedFile,
  kind: FindingKind,
  side: 'before' | 'after',
  line: number,
  detail: string,
): Finding {
  const source = file[side];
  return {
    kind,
    file: side === 'before' ? file.oldPath : file.path,
    line,
    side,
    text: source ? shorten(lineOf(source, line)) : '',
    detail,
  };
}

export function shorten(text: string): string {
  return truncate(text.trim(), 200);
}
