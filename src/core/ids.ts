import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * A new run id such as `20261130-164533-271-7f3kq9x2`: UTC time first, so that ids sort by time;
 * forty random bits after it, so that runs of the same millisecond do not meet.
 */
export function newRunId(now: Date = new Date()): string {
  const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').replace('.', '-').replace('Z', '');
  const random = [...randomBytes(8)].map((byte) => ALPHABET[byte & 31]).join('');
  return `${stamp}-${random}`;
}

export const RUN_ID_FORM = /^\d{8}-\d{6}-\d{3}-[0-9a-z]{8}$/;

/** A session id that a flag can carry: one plain word, which no shell takes for anything else. */
export const SESSION_ID_FORM = /^[A-Za-z0-9][A-Za-z0-9._:-]*$/;
