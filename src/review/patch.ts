import { type RawPath, showPath } from '../git/raw-path.ts';

/** One file of `changes.patch`. */
export interface FilePatch {
  /** As `Change.path`. */
  path: string;
  /** The old path, only of a rename. */
  from: string | null;
  status: 'added' | 'deleted' | 'modified';
  /** Full object ids; null where that side does not exist, or where the content stayed the same. */
  oldOid: string | null;
  newOid: string | null;
  /** `100644` ...; null where the patch does not say. */
  oldMode: string | null;
  newMode: string | null;
  binary: boolean;
  hunks: Hunk[];
}

export interface Hunk {
  /** First line on each side, from 1. */
  oldStart: number;
  newStart: number;
  /** What git prints behind the second `@@`: the function around it. */
  heading: string;
  lines: PatchLine[];
}

export interface PatchLine {
  mark: ' ' | '+' | '-';
  text: string;
  /** The file ends here without a newline. */
  unended?: true;
}

/** Parses a patch as baton has git write it (`--full-index`, `a/` and `b/`). What has another form is skipped. */
export function parsePatch(bytes: Buffer): FilePatch[] {
  // One character a byte: a path need not be UTF-8, and neither need a line.
  const lines = bytes.toString('latin1').split('\n');
  const files: FilePatch[] = [];
  let file: FilePatch | null = null;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.startsWith('diff --git ')) {
      file = begin(line);
      files.push(file);
    } else if (file && line.startsWith('@@ ')) at = readHunk(lines, at, file);
    else if (file) readHeader(line, file);
  }
  return files;
}

function begin(line: string): FilePatch {
  const path = samePath(line.slice('diff --git '.length));
  return {
    path: showPath(path),
    from: null,
    status: 'modified',
    oldOid: null,
    newOid: null,
    oldMode: null,
    newMode: null,
    binary: false,
    hunks: [],
  };
}

/** `a/x b/x`: only where both are the same can they be told apart, and where they differ other lines name them. */
function samePath(pair: string): RawPath {
  if (pair.startsWith('"')) return unquote(pair).slice(2);
  return pair.slice(2, (pair.length - 1) / 2);
}

function readHeader(line: string, file: FilePatch): void {
  const after = (prefix: string): string | null =>
    line.startsWith(prefix) ? line.slice(prefix.length) : null;
  const index = /^index ([0-9a-f]+)\.\.([0-9a-f]+)(?: (\d+))?/.exec(line);
  if (index) {
    file.oldOid = oid(index[1]);
    file.newOid = oid(index[2]);
    file.oldMode ??= index[3] ?? null;
    file.newMode ??= index[3] ?? null;
    return;
  }
  const from = after('rename from ');
  const to = after('rename to ') ?? fileName(after('+++ '), 'b/');
  const old = fileName(after('--- '), 'a/');
  const added = after('new file mode ');
  const deleted = after('deleted file mode ');
  if (from !== null) file.from = showPath(unquote(from));
  if (to !== null) file.path = showPath(unquote(to));
  else if (old !== null && file.status === 'deleted') file.path = showPath(unquote(old));
  if (added !== null) Object.assign(file, { status: 'added', newMode: added });
  if (deleted !== null) Object.assign(file, { status: 'deleted', oldMode: deleted });
  file.oldMode = after('old mode ') ?? file.oldMode;
  file.newMode = after('new mode ') ?? file.newMode;
  if (line === 'GIT binary patch' || line.startsWith('Binary files ')) file.binary = true;
}

/** Without the side's prefix; null for `/dev/null` and for a line that is none. Git ends a name with spaces by a tab. */
function fileName(name: string | null, prefix: string): string | null {
  if (name === null) return null;
  if (name.startsWith(`"${prefix}`)) return `"${name.slice(1 + prefix.length)}`;
  return name.startsWith(prefix) ? name.slice(prefix.length).replace(/\t$/, '') : null;
}

function oid(text = ''): string | null {
  return /^0*$/.test(text) ? null : text;
}

/** Returns the place of the last line of the hunk. The counts of its header say where it ends, not how lines look. */
function readHunk(lines: readonly string[], start: number, file: FilePatch): number {
  const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?([^]*)$/.exec(lines[start] ?? '');
  if (!head) return start;
  const [, oldStart, oldCount = '1', newStart, newCount = '1', heading = ''] = head;
  const hunk: Hunk = {
    oldStart: Number(oldStart),
    newStart: Number(newStart),
    heading: utf8(heading),
    lines: [],
  };
  file.hunks.push(hunk);
  let [old, fresh] = [Number(oldCount), Number(newCount)];
  let at = start;
  while (at + 1 < lines.length) {
    const line = lines[at + 1] ?? '';
    const mark = line[0];
    const last = hunk.lines.at(-1);
    if (mark === '\\' && last) last.unended = true;
    else if (old + fresh > 0 && (mark === ' ' || mark === '+' || mark === '-')) {
      if (mark !== '+') old -= 1;
      if (mark !== '-') fresh -= 1;
      hunk.lines.push({ mark, text: utf8(line.slice(1)) });
    } else break;
    at += 1;
  }
  return at;
}

function utf8(latin1: string): string {
  // oxlint-disable-next-line no-control-regex
  return /^[\u0000-\u007f]*$/.test(latin1) ? latin1 : Buffer.from(latin1, 'latin1').toString('utf8');
}

const ESCAPES: { [letter: string]: string } = {
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
};

/** The first path of a line, which git quotes as C does where it holds odd bytes. */
function unquote(text: string): RawPath {
  if (!text.startsWith('"')) return text;
  const quoted = /^"((?:[^"\\]|\\[^])*)"/.exec(text)?.[1] ?? text;
  return quoted.replace(/\\([0-7]{3}|[^])/g, (_, escape: string) =>
    /^[0-7]{3}$/.test(escape) ? String.fromCharCode(Number.parseInt(escape, 8)) : (ESCAPES[escape] ?? escape),
  );
}
