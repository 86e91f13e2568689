import { systemClock } from '../core/clock.ts';
import type { Claim, CostBlock } from '../rundir/result.ts';
import { MAX_BRIEF_BYTES } from './checks.ts';
import { openOutputSchema } from './output-schema.ts';
import { repairPrompt } from './repair-prompt.ts';
import { addCosts } from './text-cost.ts';
import { TextRunError } from './text-error.ts';
import { launchForText, type TextOutcome } from './text-launch.ts';
import { checkTextOptions, type TextOptions } from './text-options.ts';

/** What an agent CLI answered to a prompt. */
export interface TextRun {
  /** Its last words, never blank; with a schema, `structuredOutput` as JSON. */
  text: string;
  usage: CostBlock;
  claim: Claim;
  /** The CLI's own conversation. */
  sessionId: string | null;
  toolCalls: number;
  /** The value that matches the schema; absent without one. */
  structuredOutput?: unknown;
}

/** `runLLM` with claude. */
export function runClaude(prompt: string | Uint8Array, options: TextOptions = {}): Promise<TextRun> {
  return runLLM(prompt, options, 'claude');
}

/** `runLLM` with codex. */
export function runCodex(prompt: string | Uint8Array, options: TextOptions = {}): Promise<TextRun> {
  return runLLM(prompt, options, 'codex');
}

/**
 * Runs an agent CLI for its text: the launch, the process and the stream of a dispatch, under the read-only profile,
 * with no snapshot and no result file. The prompt goes to stdin; at most 10,000,000 bytes.
 *
 * Rejects with a UsageError before anything is started, for an unknown implementer too, and with a TextRunError where
 * there is no usable answer. An answer that does not match `options.schema` is sent back once to be mended.
 */
export async function runLLM(
  prompt: string | Uint8Array,
  options: TextOptions,
  implementerId: string,
): Promise<TextRun> {
  const request = checkTextOptions(prompt, options, implementerId);
  const deadline = systemClock.monotonic() + request.timeout.ms;
  if (request.schema === null) {
    const launch = { prompt: request.prompt, outputSchema: null, wallMs: request.timeout.ms };
    const outcome = succeeded(await launchForText(request, launch));
    return textRun(outcome, wordsOf(outcome));
  }

  const schema = await openOutputSchema(request.schema);
  const ask = (text: Uint8Array): Promise<TextOutcome> =>
    launchForText(request, {
      prompt: text,
      outputSchema: schema.text,
      wallMs: deadline - systemClock.monotonic(),
    });
  const first = succeeded(await ask(request.prompt));
  const reading = schema.read(first.claim);
  if ('value' in reading) return structuredRun(first, reading.value);

  const repair = repairPrompt(request.prompt, first.claim, reading.problems);
  if (repair.length > MAX_BRIEF_BYTES || systemClock.monotonic() >= deadline)
    throw mismatch(first, reading.problems);
  const second = succeeded(together(first, await ask(repair)));
  const mended = schema.read(second.claim);
  if ('value' in mended) return structuredRun(second, mended.value);
  throw mismatch(second, mended.problems);
}

function textRun({ claim }: TextOutcome, text: string): TextRun {
  const { cost: usage, sessionId, toolCalls } = claim;
  return { text, usage, claim: claim.claim, sessionId, toolCalls };
}

function structuredRun(outcome: TextOutcome, value: unknown): TextRun {
  return { ...textRun(outcome, JSON.stringify(value)), structuredOutput: value };
}

/** The answer, which is never blank: who runs an agent for its text has nothing without one. */
function wordsOf(outcome: TextOutcome): string {
  const { finalText } = outcome.claim;
  if (finalText.trim() !== '') return finalText;
  throw failure('no-text', 'the implementer finished without a word', outcome, []);
}

/** Goes on with an outcome that is a success, and throws for every other. */
function succeeded(outcome: TextOutcome): TextOutcome {
  if (outcome.verdict.status === 'completed') return outcome;
  throw failure('text-run', outcome.verdict.error ?? 'the run failed', outcome, []);
}

/** The second outcome, with all that both have cost. */
function together(first: TextOutcome, second: TextOutcome): TextOutcome {
  const cost = addCosts(first.claim.cost, second.claim.cost);
  const toolCalls = first.claim.toolCalls + second.claim.toolCalls;
  return { ...second, said: second.said || first.said, claim: { ...second.claim, cost, toolCalls } };
}

function mismatch(outcome: TextOutcome, problems: string[]): TextRunError {
  return failure('schema', `the answer does not match the schema: ${problems.join('; ')}`, outcome, problems);
}

function failure(
  code: ConstructorParameters<typeof TextRunError>[0],
  message: string,
  { verdict, claim, reason, retryable, said, stderrTail, directory }: TextOutcome,
  problems: string[],
): TextRunError {
  const { retryAt, sessionId, cost: usage, toolCalls } = claim;
  return new TextRunError(code, message, {
    status: verdict.status === 'completed' ? 'failed' : verdict.status,
    // Never 0: the process may have ended well, the run has not.
    exitCode: verdict.exitCode || 1,
    reason,
    retryable,
    retryAt,
    text: said,
    stderrTail,
    sessionId,
    usage,
    toolCalls,
    problems,
    directory,
  });
}
