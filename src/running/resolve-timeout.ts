import { formatDuration, parseDuration } from '../core/duration.ts';
import { copyEnv, readVariable, type Env } from '../core/environment.ts';
import { UsageError } from '../core/errors.ts';

/** `90s`, `5m`, `1h30m`, or seconds as a bare number: `90`, `'90'`. */
export type Limit = string | number;

/** Names the limit of every text run that has no `--timeout` of its own. */
const VARIABLE = 'BATON_TIMEOUT';

/** A limit, and where it comes from, for the message when it is reached. */
export interface SourcedLimit {
  /** Milliseconds. */
  ms: number;
  source: string;
}

/**
 * The limit in milliseconds: the flag, then the variable `BATON_TIMEOUT`, then the fallback. So a flag must have no
 * built-in default: it would mask the variable. Throws a UsageError that names the source of a bad value.
 */
export function resolveTimeout(
  flag: Limit | null | undefined,
  fallback: Limit,
  env: Env = copyEnv(process.env),
): number {
  return sourcedTimeout(flag, fallback, env).ms;
}

export function sourcedTimeout(flag: Limit | null | undefined, fallback: Limit, env: Env): SourcedLimit {
  if (flag !== undefined && flag !== null)
    return { ms: read(flag, '--timeout'), source: `--timeout ${flag}` };
  const variable = readVariable(env, VARIABLE);
  if (variable) return { ms: read(variable, VARIABLE), source: `${VARIABLE}=${variable}` };
  const ms = read(fallback, 'the default timeout');
  return { ms, source: `the default limit of ${formatDuration(ms)}` };
}

function read(limit: Limit, source: string): number {
  if (typeof limit === 'number' && !Number.isSafeInteger(limit)) {
    throw new UsageError(`${source} ${limit} is not a duration: write whole seconds, or a text such as 90s`);
  }
  const text = String(limit);
  return parseDuration(/^\d+$/.test(text) ? `${text}s` : text, source);
}
