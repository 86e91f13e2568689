import { BatonError } from '../core/errors.ts';
import { type JsonObject, stringOf } from '../core/json.ts';
import { readRegularFile } from './artifact.ts';
import { artifactPath } from './layout.ts';
import { liveness } from './live.ts';
import { resultSchema } from './result-schema.ts';
import { RESULT_SCHEMA, type Result } from './result.ts';
import { parseRecord } from './state-folder.ts';

/**
 * Reads `result.json` of a run directory, tolerantly: fields that this version does not know are kept, and so are words
 * that a newer version may have added to a list of choices.
 *
 * Throws a BatonError: `no-result` while the run is under way or where it was lost, `damaged-result` naming the first
 * field that is missing or of the wrong kind.
 */
export function readResult(dir: string): Result & JsonObject {
  const path = artifactPath(dir, 'result');
  const text = readRegularFile(path);
  if (text === null) throw noResult(dir);
  const value = parseRecord(text);
  if (!value) throw damaged(path, 'it is no JSON object');
  if (value['schema'] !== RESULT_SCHEMA) {
    throw damaged(path, `its schema is ${stringOf(value['schema']) ?? 'missing'}, not ${RESULT_SCHEMA}`);
  }
  requireResult(path, value);
  return value;
}

function requireResult(path: string, value: JsonObject): asserts value is JsonObject & Result {
  const fault = firstFault(value);
  if (fault) throw damaged(path, fault);
}

/** What is wrong beyond what another version may do; null where nothing is. */
function firstFault(value: JsonObject): string | null {
  const parsed = resultSchema.safeParse(value, { reportInput: true });
  const fault = parsed.error?.issues.find(
    ({ code, input }) =>
      code !== 'unrecognized_keys' && !(code === 'invalid_value' && typeof input === 'string'),
  );
  return fault ? `${fault.path.join('.')}: ${fault.message}` : null;
}

function noResult(dir: string): BatonError {
  const states = {
    running: ['is still under way', 'wait until it has ended'],
    lost: ['was lost: the process that watched it is gone', 'its events.jsonl and stderr.txt are kept'],
    finished: ['ended, and could not write one', 'its events.jsonl and stderr.txt are kept'],
  } as const;
  const [what, hint] = states[liveness(dir)];
  return new BatonError('no-result', `there is no result.json in ${dir}: the run ${what}`, { hint });
}

function damaged(path: string, why: string): BatonError {
  return new BatonError('damaged-result', `${path} is damaged: ${why}`);
}
