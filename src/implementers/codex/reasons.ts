import { isObject, type JsonObject, objectOf, stringOf } from '../../core/json.ts';
import { truncate } from '../../core/text.ts';
import type { Reason } from '../../rundir/result.ts';

export interface Verdict {
  reason: Reason;
  /** Would the same brief, sent later, have a chance? Null where the CLI does not tell. */
  retryable: boolean | null;
  retryAt: string | null;
  /** For a person; never empty. */
  text: string;
}

/**
 * What an error of the CLI (`turn.failed`, top-level `error`) means. It has words only, and the service's answer may
 * stand in them as JSON in JSON. `now`: milliseconds since the epoch, for "try again in 5 minutes".
 */
export function classify(error: unknown, now: number): Verdict {
  const { text, code } = unwrap(error);
  const words = `${text}\n${code}`.slice(0, 4000).toLowerCase();
  const status = statusOf(words);
  const reason = reasonOf(words, status);
  const retryAt = reason === 'usage-limit' || reason === 'rate-limit' ? retryTime(words, now) : null;
  return { reason, retryable: retryable(reason, status, words, retryAt), retryAt, text };
}

/** Whether the CLI only says that it connects once more. */
export function isReconnect(message: string): boolean {
  return /^(?:reconnecting|retrying|stream (?:error|disconnected)[^\n]*; retrying)\b/i.test(message.trim());
}

interface Words {
  text: string;
  /** Types and codes of the service, such as `context_length_exceeded`. */
  code: string;
}

/** JSON in JSON: twice was seen. */
const MAX_DEPTH = 8;
const SILENT = 'codex reported an error without a text';

/** `{"error":{"type":…,"message":"bad"}}`, once or twice wrapped, is "bad". */
function unwrap(error: unknown, depth = 0): Words {
  if (isObject(error)) return ofObject(error, depth);
  const text = (stringOf(error) ?? '').trim();
  const start = text.indexOf('{');
  const inner = start < 0 || depth > MAX_DEPTH ? null : parsed(text.slice(start));
  if (inner === null) return { text: text === '' ? SILENT : truncate(text, 4000), code: '' };
  const found = ofObject(inner, depth + 1);
  if (found.text === SILENT) return { text: truncate(text, 4000), code: found.code };
  // Words before the JSON, such as "unexpected status 401 Unauthorized: {…}", say something of their own.
  const before = text.slice(0, start).trim();
  return { text: before === '' ? found.text : `${before} ${found.text}`, code: found.code };
}

function ofObject(error: JsonObject, depth: number): Words {
  const inner = error['error'];
  const found = isObject(inner) || typeof inner === 'string' ? inner : error['message'];
  const words = depth > MAX_DEPTH ? { text: SILENT, code: '' } : unwrap(found, depth + 1);
  const own = ['type', 'code', 'codex_error_info', 'codexErrorInfo'].map((name) => codeOf(error[name]));
  return { ...words, code: [words.code, ...own].filter((part) => part !== '').join(' ') };
}

function codeOf(value: unknown): string {
  return stringOf(value) ?? Object.keys(objectOf(value)).join(' ');
}

function parsed(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function statusOf(words: string): number | null {
  const found = /\bstatus:?(?: code)?:? (\d{3})\b/.exec(words)?.[1];
  return found === undefined ? null : Number(found);
}

/** In this order: a used-up allowance comes as a 429, and a text that is too long as a 400. */
const BY_WORDS: readonly (readonly [Reason, RegExp])[] = [
  ['session-not-found', /\bno rollout found\b|thread\/resume failed|session not found|thread not found/],
  [
    'usage-limit',
    /usage.?limit|hit your limit|\bquota\b|out of credits|insufficient_quota|usagelimitexceeded|credit balance/,
  ],
  ['budget', /session.?budget.?exceeded/],
  [
    'context-overflow',
    /context.?length.?exceeded|context.?window|maximum context length|prompt is too long|input is too long/,
  ],
  ['overloaded', /high demand|overloaded|at capacity|server_is_overloaded|slow_down/],
  ['rate-limit', /rate.?limit|too many requests/],
  [
    'auth',
    /unauthorized|forbidden|authentication|invalid.?api.?key|incorrect api key|not logged in|codex login|log in again|sign in|refresh.?token|token (?:has )?expired/,
  ],
  [
    'sandbox-unavailable',
    /\bsandbox\b.*(?:unavailable|not available|not supported|missing|failed|denied)|landlock/,
  ],
];

const BY_STATUS: { [status: number]: Reason } = {
  401: 'auth',
  403: 'auth',
  402: 'usage-limit',
  413: 'context-overflow',
  429: 'rate-limit',
  503: 'overloaded',
  529: 'overloaded',
};

const SERVICE =
  /stream disconnected|stream closed|error sending request|connection|timed? ?out|internal server error|unexpected status|invalid_request|server_error|retry limit|http|model.*(?:not found|does not exist|not supported)/;

function reasonOf(words: string, status: number | null): Reason {
  const said = BY_WORDS.find(([, form]) => form.test(words))?.[0];
  const byStatus = status === null ? undefined : BY_STATUS[status];
  // "Too many requests" is only the name of a 429: what else is said of it counts more, as does another status.
  if (said !== undefined && !(said === 'rate-limit' && byStatus !== undefined)) return said;
  return byStatus ?? said ?? (status !== null || SERVICE.test(words) ? 'api-error' : 'other');
}

function retryable(
  reason: Reason,
  status: number | null,
  words: string,
  retryAt: string | null,
): boolean | null {
  switch (reason) {
    case 'rate-limit':
    case 'overloaded':
      return true;
    case 'usage-limit':
      // Without a time there is nothing to wait for, and trying again at once would only spin.
      return retryAt === null ? null : true;
    case 'api-error':
      if (status !== null) return status === 408 || status === 409 || status >= 500;
      return !/invalid_request|not found|does not exist|not supported/.test(words);
    case 'other':
      return null;
    default:
      return false;
  }
}

const UNITS: { [unit: string]: number } = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };

/** "try again in 1 day 3 hours 52 minutes", "in 1.2s", "in 350ms", "at 2026-12-01T00:00:00Z": as ISO 8601, or null. */
export function retryTime(text: string, now: number): string | null {
  const words = text.toLowerCase();
  const at = /try again at (\d{4}-\d{2}-\d{2}t[\d:.]+(?:z|[+-]\d{2}:?\d{2}))/.exec(words)?.[1];
  if (at !== undefined) return isoOf(Date.parse(at));
  const within = /try again in ((?:\d+(?:\.\d+)?\s*[a-z]+(?:,? (?:and )?)?)+)/.exec(words)?.[1];
  if (within !== undefined) {
    const ms = [...within.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/g)].map(([, amount, unit]) =>
      unit === 'ms' ? Number(amount) : Number(amount) * (UNITS[unit?.[0] ?? ''] ?? Number.NaN),
    );
    return isoOf(now + ms.reduce((sum, one) => sum + one, 0));
  }
  return clockTime(words, now);
}

const CLOCK =
  /try again at (?:([a-z]{3})[a-z]* (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?:,| at)? )?(\d{1,2}):(\d{2}) ?([ap]m)/;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** "try again at 3:05 PM", "at Dec 3rd, 2026 1:24 AM": the CLI means the clock of this machine. */
function clockTime(words: string, now: number): string | null {
  const match = CLOCK.exec(words);
  if (!match) return null;
  const [, month, day, year, hours, minutes, half] = match;
  const hour = (Number(hours) % 12) + (half === 'pm' ? 12 : 0);
  if (Number(hours) > 12 || Number(minutes) > 59) return null;
  if (month !== undefined)
    return isoOf(new Date(Number(year), MONTHS.indexOf(month), Number(day), hour, Number(minutes)).getTime());
  const moment = new Date(now);
  moment.setHours(hour, Number(minutes), 0, 0);
  if (moment.getTime() <= now) moment.setDate(moment.getDate() + 1);
  return isoOf(moment.getTime());
}

function isoOf(moment: number): string | null {
  // A number of days that no calendar has.
  return Number.isFinite(moment) && Math.abs(moment) < 8.64e15 ? new Date(moment).toISOString() : null;
}
