import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Env } from '../../core/environment.ts';
import { isObject, stringOf } from '../../core/json.ts';
import { makeFolders } from '../../core/make-folders.ts';
import { stateHome } from '../../core/state-home.ts';

/** What hooks remember of one session of an agent. */
export interface Session {
  /** Files that were edited, relative to the project, the last ones last. */
  files: readonly string[];
  /** Skills that its model was told of. */
  suggested: ReadonlySet<string>;
  remember(entries: { files?: readonly string[]; suggested?: readonly string[] }): void;
}

/** A session that was silent for so long begins anew: by then its model has long forgotten what it read. */
const EXPIRY_MS = 12 * 60 * 60 * 1000;
const MAX_BYTES = 256 * 1024;
const MAX_FILES = 200;
const MAX_SWEPT = 500;

/**
 * The session of this id. Never throws: where nothing can be kept, there is nothing to remember. Hooks of one session
 * run side by side (an agent edits several files at once), so what they remember is appended, a record a line.
 */
export function openSession(env: Env, id: string | null): Session {
  const folder = id !== null && /^[\w-]{1,100}$/.test(id) ? privateFolder(env) : null;
  if (folder === null) return { files: [], suggested: new Set(), remember: () => {} };
  const path = join(folder, `${id}.jsonl`);
  const records = readRecords(path);
  if (records === null) sweep(folder);
  const files = textsOf(records, 'file').slice(-MAX_FILES);
  const suggested = new Set(textsOf(records, 'suggested'));
  return {
    files,
    suggested,
    remember(entries) {
      const lines = [
        ...(entries.files ?? []).filter((file) => !files.includes(file)).map((file) => ({ file })),
        ...(entries.suggested ?? []).map((name) => ({ suggested: name })),
      ].map((record) => `${JSON.stringify(record)}\n`);
      if (lines.length > 0) append(path, lines.join(''), records === null);
    },
  };
}

/** A folder that only this user can enter: in baton's state, else (where an agent's sandbox forbids that) among the temporary files. */
function privateFolder(env: Env): string | null {
  const user = process.getuid?.();
  const folders = [join(stateHome(env), 'activation'), join(tmpdir(), `baton-activation-${user ?? 'own'}`)];
  return folders.find((folder) => isPrivate(folder, user)) ?? null;
}

/** Anybody may have put a link, or a folder of their own, in its place. */
function isPrivate(folder: string, user: number | undefined): boolean {
  try {
    makeFolders(folder, 0o700);
    const stat = lstatSync(folder);
    if (!stat.isDirectory()) return false;
    return user === undefined || (stat.uid === user && (stat.mode & 0o077) === 0);
  } catch {
    return false;
  }
}

// Never through a link, and never waiting for a pipe. (Windows has neither flag.)
const CAREFUL = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The lines of a session's file; null where there are none that still count. */
function readRecords(path: string): string[] | null {
  try {
    const fd = openSync(path, constants.O_RDONLY | CAREFUL);
    try {
      const stat = fstatSync(fd);
      const counts = stat.isFile() && stat.size <= MAX_BYTES && Date.now() - stat.mtimeMs < EXPIRY_MS;
      return counts ? readFileSync(fd, 'utf8').split('\n') : null;
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}

function textsOf(records: readonly string[] | null, field: 'file' | 'suggested'): string[] {
  return (records ?? []).flatMap((line) => {
    const record = parse(line);
    const text = isObject(record) ? stringOf(record[field]) : null;
    return text === null ? [] : [text];
  });
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null; // a line that was cut by a full disk costs only itself
  }
}

function append(path: string, text: string, anew: boolean): void {
  try {
    const fd = openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | CAREFUL, 0o600);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile()) return;
      // Not a young one: another hook of this session may have begun it a moment ago.
      if (anew && (stat.size > MAX_BYTES || Date.now() - stat.mtimeMs >= EXPIRY_MS)) ftruncateSync(fd, 0);
      writeSync(fd, text);
    } finally {
      closeSync(fd);
    }
  } catch {
    // A skill is suggested once more than needed.
  }
}

/** Removes what old sessions left. Once a session, when it begins. */
function sweep(folder: string): void {
  try {
    for (const name of readdirSync(folder).slice(0, MAX_SWEPT)) {
      const path = join(folder, name);
      if (name.endsWith('.jsonl') && Date.now() - lstatSync(path).mtimeMs >= EXPIRY_MS) unlinkSync(path);
    }
  } catch {
    // Another hook sweeps at the same time.
  }
}
