import { arrayOf, type JsonObject, numberOf, objectOf, stringOf } from '../../core/json.ts';
import { truncate } from '../../core/text.ts';
import type { Failure, Verdict } from './reasons.ts';

/** `subtype:"success"` with `is_error:true` is an error, and so is a result that says neither. */
export function isErrorResult(record: JsonObject): boolean {
  const subtype = stringOf(record['subtype']);
  if (record['is_error'] === true || subtype?.startsWith('error')) return true;
  return record['is_error'] !== false && subtype !== 'success';
}

/**
 * What a terminal record says of its failure. `apiError` is the API error that the CLI wrote last, if the agent has not
 * spoken since: it may know the status that the result leaves out.
 */
export function failureOf(record: JsonObject, apiError: JsonObject | null): Failure {
  return {
    subtype: stringOf(record['subtype']),
    terminalReason: stringOf(record['terminal_reason']),
    startupReason: stringOf(record['startup_failure_reason']),
    apiStatus:
      numberOf(record['api_error_status']) ?? numberOf(apiError?.['api_error_status']) ?? statusIn(record),
    apiType:
      stringOf(record['api_error_type']) ??
      stringOf(apiError?.['api_error_type']) ??
      stringOf(apiError?.['error']),
    errors: errorsOf(record),
    text: stringOf(record['result']) ?? '',
  };
}

/** Older versions (2.1.0) have no field for it: their text begins with "API Error: 429 ". */
function statusIn(record: JsonObject): number | null {
  const [, status] = /^API Error: (\d{3})\b/.exec(stringOf(record['result']) ?? '') ?? [];
  return status === undefined ? null : Number(status);
}

function errorsOf(record: JsonObject): string[] {
  return arrayOf(record['errors'])
    .map((error) => stringOf(error) ?? stringOf(objectOf(error)['message']) ?? '')
    .filter((text) => text.trim() !== '');
}

const WITHOUT_WORDS: { [reason: string]: string } = {
  'max-turns': 'the limit of turns was reached',
  budget: 'the budget was used up',
  'rate-limit': 'the model service refused the request: too many requests',
  overloaded: 'the model service is overloaded',
  'usage-limit': 'the usage limit was reached',
  auth: 'the model service refused the credentials',
  'context-overflow': 'the conversation is longer than the model can read',
};

/** A sentence about the failure, in the CLI's words where it has any. */
export function errorText(record: JsonObject, verdict: Verdict): string {
  const own = [...errorsOf(record), stringOf(record['result']) ?? '']
    .filter((text) => text.trim() !== '')
    .join('; ');
  if (own !== '') return truncate(own, 4000);
  const status = numberOf(record['api_error_status']);
  const known = WITHOUT_WORDS[verdict.reason];
  if (known !== undefined) return status === null ? known : `${known} (status ${status})`;
  const field = stringOf(record['terminal_reason']) ?? stringOf(record['subtype']);
  const words =
    field === null || field === 'success' || field === 'completed' ? null : field.replaceAll('_', ' ');
  return ['claude reported an error', words, status === null ? null : `status ${status}`]
    .filter(Boolean)
    .join(', ');
}
