import type { JsonObject } from '../../../core/json.ts';
import { failAsCodex } from '../codex-failures.ts';
import { CodexRecords } from '../codex-records.ts';
import { type ClaudeRecords, unknownSessionResult, unknownSessionText } from '../records.ts';
import type { Stage } from '../stage.ts';
import type { StepKinds } from '../step-kind.ts';

const FAILURES = [
  'rate-limit',
  'overloaded',
  'too-long',
  'max-turns',
  'budget',
  'auth',
  'usage-limit',
  'session-not-found',
  'api-error',
  'sandbox-unavailable',
] as const;
type Failure = (typeof FAILURES)[number];

const WITHOUT_SESSION: readonly string[] = ['session-not-found', 'sandbox-unavailable'];

/** How the play closes. Without any of these: one success result that carries the last said text. */
export const endingSteps: StepKinds = {
  result: {
    keys: ['text', 'error', 'subtype', 'fields', 'without'],
    shorthand: 'text',
    read(fields) {
      const text = fields.optionalText('text');
      const subtype = fields.optionalText('subtype');
      const changes: JsonObject = {
        ...(text === null ? {} : { result: text }),
        ...(subtype === null ? {} : { subtype }),
        ...(fields.has('error') ? { is_error: fields.flag('error') } : {}),
        ...fields.object('fields'),
        ...omitted(fields.texts('without')),
      };
      return (stage) => stage.emitResult(changes);
    },
  },

  'no-result': {
    keys: [],
    read: () => (stage) => {
      stage.closed = true;
    },
  },

  init: {
    keys: ['fields'],
    whole: true,
    read(fields) {
      const changes = fields.object('fields');
      return (stage) => stage.emitInit(changes);
    },
  },

  fail: {
    keys: ['kind', 'text', 'exit'],
    shorthand: 'kind',
    withoutInit: (fields) => WITHOUT_SESSION.includes(String(fields.raw('kind'))),
    read(fields) {
      const kind = fields.choice('kind', FAILURES);
      const text = fields.optionalText('text');
      const exit = fields.whole('exit', 0, 255, 1);
      return (stage) => {
        stage.exitCode = exit;
        stage.closed = true;
        fail(stage, kind, text);
      };
    },
  },
};

/** Fields to leave out: JSON has no place for undefined. */
function omitted(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

function fail(stage: Stage, kind: Failure, text: string | null): void {
  const { records } = stage;
  if (records instanceof CodexRecords) failAsCodex(stage, records, kind, text);
  else failAsClaude(stage, records, kind, text);
}

function failAsClaude(stage: Stage, records: ClaudeRecords, kind: Failure, text: string | null): void {
  switch (kind) {
    case 'rate-limit':
      retries(stage, 429, 'rate_limit');
      return apiError(
        stage,
        records,
        text ?? 'API Error: Request rejected (429) · slow down',
        'rate_limit',
        429,
        'rate_limit_error',
      );
    case 'overloaded':
      retries(stage, 529, 'overloaded');
      return apiError(
        stage,
        records,
        text ??
          'API Error: Repeated 529 Overloaded errors. The API is at capacity — this is usually temporary.',
        'server_error',
        529,
        'overloaded_error',
      );
    case 'too-long':
      return apiError(
        stage,
        records,
        text ?? 'Prompt is too long · the request is ~300000 tokens (limit 200000)',
        'invalid_request',
        400,
        'invalid_request_error',
        'prompt_too_long',
      );
    case 'auth':
      return apiError(
        stage,
        records,
        text ?? 'Invalid API key · Please run /login',
        'authentication_failed',
        401,
        'authentication_error',
      );
    case 'api-error':
      return apiError(
        stage,
        records,
        text ?? 'API Error: 500 Internal server error',
        'server_error',
        500,
        'api_error',
      );
    case 'usage-limit':
      // The wordings differ by plan and version; a script can give any of them.
      return apiError(
        stage,
        records,
        text ?? "You've hit your limit · resets 3pm (Europe/Berlin)",
        'rate_limit',
        null,
        null,
      );
    case 'max-turns':
      return stopped(
        stage,
        'error_max_turns',
        'max_turns',
        text ?? `Reached maximum number of turns (${stage.flags.maxTurns ?? '2'})`,
      );
    case 'budget':
      return stopped(
        stage,
        'error_max_budget_usd',
        'budget_exhausted',
        text ?? `Reached maximum budget ($${stage.flags.maxBudgetUsd ?? '0.001'})`,
      );
    case 'session-not-found': {
      const id = stage.flags.resume ?? records.facts.sessionId;
      stage.err.write(`${text ?? unknownSessionText(id)}\n`);
      return stage.emit({ ...unknownSessionResult(id), ...(text === null ? {} : { errors: [text] }) });
    }
    case 'sandbox-unavailable': {
      const why = text ?? 'Error: sandbox required but unavailable: bubblewrap (bwrap) not installed';
      stage.err.write(`${why}\n`);
      return stage.emit({ ...unknownSessionResult(records.facts.sessionId), errors: [why] });
    }
  }
}

function retries(stage: Stage, status: number, error: string): void {
  for (const attempt of [1, 2]) stage.emit(stage.records.apiRetry(attempt, 2, 500 * attempt, status, error));
}

/** The CLI calls it a success in `subtype` and an error in `is_error`: both are kept, that is the trap. */
function apiError(
  stage: Stage,
  records: ClaudeRecords,
  text: string,
  error: string,
  status: number | null,
  errorType: string | null,
  reason = 'api_error',
): void {
  stage.emit(records.apiErrorText(text, error, status, errorType));
  stage.emitResult({
    stop_reason: 'stop_sequence',
    is_error: true,
    terminal_reason: reason,
    api_error_status: status,
    ...(errorType === null ? {} : { api_error_type: errorType }),
    result: text,
  });
}

/** Ended by a limit of its own: the text stands in `errors`, and there is no `result`. */
function stopped(stage: Stage, subtype: string, reason: string, text: string): void {
  stage.emitResult({
    stop_reason: 'tool_use',
    subtype,
    is_error: true,
    terminal_reason: reason,
    errors: [text],
    ...omitted(['result', 'api_error_status']),
  });
}
