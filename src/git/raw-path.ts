import { isUtf8 } from 'node:buffer';

/**
 * A path as git holds it, relative to the top of the tree: bytes, one a character (latin1). So it can be a key of a map
 * though it need not be UTF-8. Show it with `showPath`, open it with `pathIn`.
 */
export type RawPath = string;

export function rawPath(bytes: Buffer): RawPath {
  return bytes.toString('latin1');
}

/** The raw form of a path that Node gave us. */
export function rawFrom(path: string): RawPath {
  return Buffer.from(path, 'utf8').toString('latin1');
}

/** The absolute path below `top`, for the file system: bytes where a string would lose some. */
export function pathIn(top: string, path: RawPath): string | Buffer {
  return isAscii(path)
    ? `${top}/${path}`
    : Buffer.concat([Buffer.from(`${top}/`, 'utf8'), Buffer.from(path, 'latin1')]);
}

export function isUtf8Path(path: RawPath): boolean {
  return isAscii(path) || isUtf8(Buffer.from(path, 'latin1'));
}

/** For people and for JSON: UTF-8 as it is, any other byte as `\xNN`. */
export function showPath(path: RawPath): string {
  if (isAscii(path)) return path;
  const bytes = Buffer.from(path, 'latin1');
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let shown = '';
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find(
      (count) => at + count <= bytes.length && isUtf8(bytes.subarray(at, at + count)),
    );
    shown += length ? bytes.toString('utf8', at, at + length) : `\\x${bytes.toString('hex', at, at + 1)}`;
    at += length ?? 1;
  }
  return shown;
}

/** All paths, each ended by NUL, as git's `-z --stdin` reads them. */
export function pathList(paths: Iterable<RawPath>): Buffer {
  return Buffer.from([...paths].map((path) => `${path}\0`).join(''), 'latin1');
}

function isAscii(path: RawPath): boolean {
  // oxlint-disable-next-line no-control-regex
  return /^[\u0000-\u007f]*$/.test(path);
}
