import { findTarget, TARGET_IDS, type TargetId } from './target.ts';
import { protectedName } from './protected-name.ts';

/** What may be written. Nothing that `protectedName` knows is ever written, whatever stands here. */
export interface AllowedPaths {
  /** Folders, relative to the root with `/`: anything below them. */
  readonly folders: readonly string[];
  /** Names of files that may lie in the root and in any folder below it. */
  readonly names: readonly string[];
}

export type SanitizedPath =
  /** Relative to the root, with `/`, without `.` and empty segments. */
  { readonly ok: true; readonly path: string } | { readonly ok: false; readonly reason: string };

/** What the chosen targets (default: all) own: their skill folders, and their instruction files at any depth. */
export function getAllowedPaths(targets: readonly TargetId[] = TARGET_IDS): AllowedPaths {
  const chosen = targets.map(findTarget);
  return {
    folders: [...new Set(chosen.map((target) => target.skills))],
    names: [...new Set(chosen.map((target) => target.instructions))],
  };
}

/**
 * The path of a file to write, or why it is refused. It looks at the text alone: links are for whoever writes. What it
 * accepts means the same file on Linux, macOS and Windows, lies below the root, and is allowed (default: what all targets
 * own).
 */
export function sanitizePath(raw: string, allowed: AllowedPaths = getAllowedPaths()): SanitizedPath {
  const reason = badText(raw) ?? badShape(raw);
  if (reason !== null) return { ok: false, reason };
  const segments = raw.split('/').filter((segment) => segment !== '' && segment !== '.');
  for (const segment of segments) {
    const bad = badSegment(segment);
    if (bad !== null) return { ok: false, reason: bad };
  }
  const guarded = protectedName(segments);
  if (guarded !== null) return { ok: false, reason: `${JSON.stringify(guarded)} is never written` };
  const path = segments.join('/');
  if (!isAllowed(path, segments, allowed))
    return { ok: false, reason: 'it is neither a skill file nor an instruction file of the chosen targets' };
  return { ok: true, path };
}

/** Above these the file systems of the three platforms differ. */
const MAX_SEGMENT_BYTES = 255;
const MAX_PATH_BYTES = 1024;

/** Control, format and invisible signs: `.g\u200cit` is `.git` on a Mac. Lone surrogates become another name on disk. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

function badText(raw: string): string | null {
  if (raw.trim() === '') return 'it is empty';
  if (Buffer.byteLength(raw) > MAX_PATH_BYTES) return `it is longer than ${MAX_PATH_BYTES} bytes`;
  if (INVISIBLE.test(raw)) return 'it holds a control character or an invisible one';
  // A full-width slash or dot, and an accent of its own, may become another name on disk.
  if (raw !== raw.normalize('NFKC'))
    return 'it holds characters that stand for others (it is not in NFKC form)';
  if (/%[0-9a-f]{2}/i.test(raw)) return 'it is percent-encoded';
  return null;
}

function badShape(raw: string): string | null {
  if (raw.startsWith('/')) return 'it is absolute';
  if (/^[a-z]:/i.test(raw)) return 'it names a drive';
  if (raw.startsWith('\\\\')) return 'it names a network share';
  if (raw.startsWith('~')) return 'it begins in a home directory';
  if (raw.includes('\\')) return 'it holds a backslash (write / between folders)';
  if (/(?:^|\/)\.?$/.test(raw)) return 'it names a directory';
  return null;
}

const DEVICE = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com\d|lpt\d)$/i;

function badSegment(segment: string): string | null {
  const shown = JSON.stringify(segment);
  if (segment === '..') return 'it leaves its folder by ".."';
  if (segment.includes(':')) return `${shown} holds a colon (a stream, on Windows)`;
  if (/[<>"|?*]/.test(segment)) return `${shown} holds a character that not every file system has`;
  if (/[. ]$/.test(segment)) return `${shown} ends with a dot or a space`;
  if (segment.startsWith(' ')) return `${shown} begins with a space`;
  if (DEVICE.test(segment.replace(/[ .].*$/, ''))) return `${shown} is the name of a device on Windows`;
  // GIT~1 is the name that Windows gives to .git, CLAUDE~1 that of .claude.
  if (/~\d+(?:\.[^.]*)?$/.test(segment)) return `${shown} has the form of a short name on Windows`;
  if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES)
    return `a part of it is longer than ${MAX_SEGMENT_BYTES} bytes`;
  return null;
}

function isAllowed(path: string, segments: readonly string[], { folders, names }: AllowedPaths): boolean {
  return names.includes(segments.at(-1) ?? '') || folders.some((folder) => path.startsWith(`${folder}/`));
}
