import { UsageError } from './errors.ts';

/** Node fires a timer of more than this at once instead of late. */
export const MAX_TIMER_MS = 2_147_483_647;

const FORM = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;

/**
 * Reads a duration such as `90s`, `5m` or `1h30m` into milliseconds.
 * Refused: an empty text, a bare number, fractions, zero, and more than 596h31m23s (a timer's limit).
 */
export function parseDuration(text: string, flag: string): number {
  const match = FORM.exec(text);
  if (!match || text === '') {
    throw new UsageError(
      `${flag} ${JSON.stringify(text)} is not a duration: write hours, minutes, seconds in this order, such as 90s, 5m or 1h30m`,
    );
  }
  const [, hours = '0', minutes = '0', seconds = '0'] = match;
  const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  if (ms === 0) throw new UsageError(`${flag} ${JSON.stringify(text)} is zero: it must be longer than 0s`);
  if (ms > MAX_TIMER_MS) {
    throw new UsageError(`${flag} ${JSON.stringify(text)} is too long: the longest is 596h31m23s`);
  }
  return ms;
}

/** `83_000` as `1m23s`, `1_200` as `1.2s`: short, for people. */
export function formatDuration(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)}s`;
  const total = Math.round(ms / 1000);
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  const seconds = total % 60;
  return `${hours > 0 ? `${hours}h` : ''}${minutes > 0 ? `${minutes}m` : ''}${seconds > 0 || total === 0 ? `${seconds}s` : ''}`;
}
