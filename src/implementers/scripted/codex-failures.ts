import type { CodexRecords } from './codex-records.ts';
import { unknownThreadText } from './codex-records.ts';
import type { Stage } from './stage.ts';

/** Why a turn ends, in the words of codex; null for what codex has no ending for. */
const TEXTS: { [kind: string]: string | null } = {
  'rate-limit': 'exceeded retry limit, last status: 429 Too Many Requests',
  overloaded: 'We’re currently experiencing high demand, which may cause temporary errors.',
  'too-long':
    "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.",
  auth: 'unexpected status 401 Unauthorized: {"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}',
  'api-error': 'unexpected status 500 Internal Server Error: boom',
  'usage-limit': "You've hit your usage limit. Upgrade to Pro or try again in 3 hours 5 minutes.",
  'max-turns': null,
  budget: null,
};

/** Prints a known failure as the real CLI prints it. */
export function failAsCodex(stage: Stage, records: CodexRecords, kind: string, given: string | null): void {
  if (kind === 'session-not-found') {
    const id = stage.flags.resume ?? records.facts.sessionId;
    stage.err.write(`${given ?? unknownThreadText(id)}\n`);
    return;
  }
  if (kind === 'sandbox-unavailable') {
    // Every command fails, and the turn completes all the same: unlike claude it has begun.
    if (!stage.begun) stage.emitInit();
    const id = records.newToolId();
    const content = given ?? 'bwrap: No permissions to create a new namespace';
    stage.emit(records.toolUse(id, 'Bash', { command: 'ls' }));
    stage.emit(records.toolResult(id, { content, ok: false, detail: null }));
    stage.emit(records.result());
    return;
  }
  const text = given ?? TEXTS[kind] ?? null;
  if (text === null) throw new Error(`codex has no ending of the kind ${kind}`);
  if (kind === 'overloaded') stage.emit(records.error(`Reconnecting... 1/1 (${text})`));
  stage.emit(records.failed(text));
}
