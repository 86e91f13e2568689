import { GLOBSTAR, segmentsOf } from './glob.ts';

/**
 * A glob as a POSIX extended regular expression, without anchors, for bash's `=~` where `LC_ALL=C`. It matches what
 * `compileGlob` matches.
 */
export function globRegex(glob: string): string {
  const segments = segmentsOf(glob);
  if (segments.length === 1 && segments[0] === GLOBSTAR) return '.*';
  return segments
    .map((segment, index) => {
      const last = index === segments.length - 1;
      if (segment === GLOBSTAR) return last ? '(/.*)?' : '(.*/)?';
      // A `**` at the end brings its own slash, since it may match nothing.
      const beforeLastStar = index === segments.length - 2 && segments[index + 1] === GLOBSTAR;
      return `${segmentRegex(segment)}${last || beforeLastStar ? '' : '/'}`;
    })
    .join('');
}

function segmentRegex(segment: string): string {
  return Array.from(segment, (sign) => {
    if (sign === '*') return '[^/]*';
    if (sign === '?') return ONE_CHARACTER;
    return SPECIAL.has(sign) ? `\\${sign}` : sign;
  }).join('');
}

const SPECIAL = new Set('\\^$.[|()*+?{');

/**
 * One UTF-8 character other than a slash, for an engine that sees bytes. A bracket can name the continuation bytes
 * (0x80 to 0xBF) only by characters that hold them: 32 from the last private-use plane hold them all, and bring but one
 * other byte, 0xF4, with which no character outside that plane begins.
 */
const CONTINUATION = Array.from({ length: 32 }, (_, index) =>
  String.fromCodePoint(0x10_0000 + 2 * index * 64 + (2 * index + 1)),
).join('');
const ONE_CHARACTER = `([^/${CONTINUATION}][${CONTINUATION}]{0,3}|[${CONTINUATION}]{4})`;
