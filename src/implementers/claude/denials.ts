import { isObject, type JsonObject } from '../../core/json.ts';
import { truncate } from '../../core/text.ts';
import type { Denial } from '../../rundir/result.ts';

/** An input in full stands in the event log; the result stays readable. */
const MAX_TEXT = 2000;

/**
 * What the CLI refused. It says so up to three times (a system record, the tool's result, the final list), always with
 * the id of the tool use: one denial each.
 */
export class DenialList {
  private readonly byId = new Map<string, Denial>();
  private readonly nameless: Denial[] = [];

  /** Returns true where this denial was not known before. What is missing in the known one is filled in. */
  add(id: string | null, denial: Denial): boolean {
    const short = {
      ...denial,
      input: shorten(denial.input),
      reason: denial.reason && truncate(withoutTags(denial.reason), MAX_TEXT),
    };
    const known = id === null ? undefined : this.byId.get(id);
    if (known) {
      known.input ??= short.input;
      known.reason ??= short.reason;
      return false;
    }
    if (id === null) this.nameless.push(short);
    else this.byId.set(id, short);
    return true;
  }

  all(): Denial[] {
    return [...this.byId.values(), ...this.nameless];
  }
}

/** The CLI wraps some refusals for the model. */
function withoutTags(reason: string): string {
  return reason.replace(/^<tool_use_error>(?:Error: )?/, '').replace(/<\/tool_use_error>$/, '');
}

function shorten(input: unknown): unknown {
  if (typeof input === 'string') return truncate(input, MAX_TEXT);
  if (!isObject(input)) return input ?? null;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'string' ? truncate(value, MAX_TEXT) : value,
    ]),
  );
}

/**
 * Whether a failed tool result means that the CLI refused the call. Newer CLIs say so in `tool_result_meta`; for
 * others the words decide. A command that ran and failed with "Permission denied" is no denial: its result begins with
 * its exit code.
 */
export function isDenial(text: string, meta: JsonObject | null): boolean {
  const decision = meta?.['permission_decision'];
  if (isObject(decision) && decision['decision'] === 'reject') return true;
  if (isObject(decision) && decision['decision'] === 'accept') return false;
  const head = text.slice(0, 400).toLowerCase();
  if (head.includes('exit code ')) return false;
  return (
    head.includes('permission denied') ||
    (head.includes('permission to use') && head.includes('denied')) ||
    head.includes("haven't granted") ||
    head.includes('requested permissions') ||
    head.includes('requires approval') ||
    head.includes('is disabled for this session')
  );
}
