import type { Reason } from '../../rundir/result.ts';

/** What an error-shaped `result` record says of its failure. Nothing here comes from tool output or the agent's words. */
export interface Failure {
  subtype: string | null;
  terminalReason: string | null;
  /** Why it did not even start. */
  startupReason: string | null;
  /** HTTP status of the model service. */
  apiStatus: number | null;
  /** Its type of error, such as `rate_limit_error`, or the CLI's own word for it, such as `authentication_failed`. */
  apiType: string | null;
  errors: readonly string[];
  /** The `result` text of a record with `is_error`. */
  text: string;
}

export interface Verdict {
  reason: Reason;
  /** Would the same request, sent later, have a chance? Null where the CLI does not tell. */
  retryable: boolean | null;
  retryAt: string | null;
}

/**
 * Why it failed: fields first, words last. `now` (milliseconds since the epoch) turns "resets 3pm" into a time.
 * A used-up allowance arrives as a 429 as well, so that one status is told apart by its words.
 */
export function classify(failure: Failure, now: number): Verdict {
  const words = [...failure.errors, failure.text].join('\n').slice(0, 4000).toLowerCase();
  const reason = reasonOf(failure, words);
  const retryAt = reason === 'usage-limit' || reason === 'rate-limit' ? resetTime(words, now) : null;
  return { reason, retryable: retryable(reason, failure, retryAt), retryAt };
}

function reasonOf(failure: Failure, words: string): Reason {
  return byEnding(failure) ?? byService(failure, words) ?? byWords(words) ?? byRest(failure);
}

/** The CLI's own endings. */
function byEnding({ subtype, terminalReason, startupReason }: Failure): Reason | null {
  if (subtype === 'error_max_turns' || terminalReason === 'max_turns') return 'max-turns';
  if (subtype === 'error_max_budget_usd' || terminalReason === 'budget_exhausted') return 'budget';
  if (terminalReason === 'prompt_too_long') return 'context-overflow';
  if (startupReason?.startsWith('sandbox_')) return 'sandbox-unavailable';
  return null;
}

/** What the model service answered. */
function byService({ apiStatus, apiType }: Failure, words: string): Reason | null {
  if (apiStatus === null && apiType === null) return null;
  if (apiStatus === 429 || RATE_LIMIT.has(apiType))
    return saysUsageLimit(words) ? 'usage-limit' : 'rate-limit';
  if (apiStatus === 529 || OVERLOADED.has(apiType)) return 'overloaded';
  if (apiStatus === 402 || BILLING.has(apiType)) return 'usage-limit';
  if (apiStatus === 401 || apiStatus === 403 || AUTH.has(apiType)) return 'auth';
  if (apiStatus === 413 || apiType === 'request_too_large') return 'context-overflow';
  return saysTooLong(words) ? 'context-overflow' : 'api-error';
}

type Words = ReadonlySet<string | null>;
const RATE_LIMIT: Words = new Set(['rate_limit_error', 'rate_limit']);
const OVERLOADED: Words = new Set(['overloaded_error', 'overloaded']);
const BILLING: Words = new Set(['billing_error']);
const AUTH: Words = new Set([
  'authentication_error',
  'permission_error',
  'authentication_failed',
  'oauth_org_not_allowed',
]);

function byWords(words: string): Reason | null {
  if (words.includes('no conversation found')) return 'session-not-found';
  if (words.includes('sandbox') && /unavailable|not available|required|missing|cannot|could not/.test(words))
    return 'sandbox-unavailable';
  if (saysUsageLimit(words)) return 'usage-limit';
  if (saysTooLong(words)) return 'context-overflow';
  if (words.includes('overloaded')) return 'overloaded';
  if (/rate.?limit/.test(words)) return 'rate-limit';
  if (/invalid api key|\/login|not logged in|oauth token|authentication/.test(words)) return 'auth';
  return null;
}

function byRest({ terminalReason }: Failure): Reason {
  return terminalReason === 'api_error' ? 'api-error' : 'other';
}

function saysUsageLimit(words: string): boolean {
  return (
    /\b(usage|session|weekly|daily|monthly|5-hour|opus|sonnet) limit\b/.test(words) ||
    /\bhit your limit\b|(?<!rate )\blimit reached\b|\bcredit balance is too low\b/.test(words)
  );
}

function saysTooLong(words: string): boolean {
  return words.includes('prompt is too long') || words.includes('context window');
}

function retryable(reason: Reason, { apiStatus, apiType }: Failure, retryAt: string | null): boolean | null {
  switch (reason) {
    case 'rate-limit':
    case 'overloaded':
      return true;
    case 'usage-limit':
      // Without a time there is nothing to wait for, and trying again at once would only spin.
      return retryAt === null ? null : true;
    case 'api-error':
      // Without a status it was the connection.
      if (apiStatus === null) return apiType !== 'invalid_request';
      return apiStatus === 408 || apiStatus === 409 || apiStatus >= 500;
    case 'other':
      return null;
    default:
      return false;
  }
}

const EPOCH = /\|\s*(\d{10}|\d{13})\b/;
const CLOCK =
  /resets?\s+(?:at\s+)?(?:([a-z]{3})[a-z]*\.?\s+(\d{1,2})(?:,|\s+at)?\s+)?(\d{1,2})(?::(\d{2}))?\s*([ap]m)?\s*\(([a-z_]+(?:\/[a-z0-9_+-]+)*)\)/;

/** "…|1700000000", "resets 3pm (Europe/Berlin)", "resets Dec 3, 12:50am (…)": as ISO 8601, or null. */
export function resetTime(text: string, now: number): string | null {
  const words = text.toLowerCase();
  const epoch = EPOCH.exec(words)?.[1];
  if (epoch !== undefined) return new Date(Number(epoch) * (epoch.length === 10 ? 1000 : 1)).toISOString();
  const match = CLOCK.exec(words);
  if (!match) return null;
  const [, month, day, hours = '', minutes = '0', half, zone = ''] = match;
  const time = { hour: hour24(Number(hours), half), minute: Number(minutes) };
  if (time.hour > 23 || time.minute > 59) return null;
  const date = month === undefined ? null : { month: MONTHS.indexOf(month), day: Number(day) };
  if (date?.month === -1) return null;
  return nextTime(time, date, zone, now);
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** 12am is midnight and 12pm is noon. An hour that no clock has becomes 99. */
function hour24(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return 99;
  return (hour % 12) + (half === 'pm' ? 12 : 0);
}

/** The first such moment after `now` in `zone`; null for a zone that this machine does not know. */
function nextTime(
  time: { hour: number; minute: number },
  date: { month: number; day: number } | null,
  zone: string,
  now: number,
): string | null {
  const wall = wallClock(zone);
  if (!wall) return null;
  const today = new Date(wall(now));
  const year = today.getUTCFullYear();
  const days = date
    ? [Date.UTC(year, date.month, date.day), Date.UTC(year + 1, date.month, date.day)]
    : [0, 1, 2].map((ahead) => Date.UTC(year, today.getUTCMonth(), today.getUTCDate() + ahead));
  for (const midnight of days) {
    const wanted = midnight + (time.hour * 60 + time.minute) * 60_000;
    // The zone's offset at that time, corrected once: the first guess may lie across a change of the clocks.
    const guess = wanted - (wall(wanted) - wanted);
    const moment = guess - (wall(guess) - wanted);
    if (moment > now) return new Date(moment).toISOString();
  }
  return null;
}

/** Moment -> what the zone's wall clock shows then, as if it were UTC. */
function wallClock(zone: string): ((moment: number) => number) | null {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
    return (moment) => {
      const part = Object.fromEntries(
        format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]),
      );
      return Date.UTC(
        part['year'] ?? 0,
        (part['month'] ?? 1) - 1,
        part['day'] ?? 1,
        part['hour'] ?? 0,
        part['minute'] ?? 0,
      );
    };
  } catch {
    // "(Area/City)" and other names that no time zone has.
    return null;
  }
}
