import { BatonError } from '../core/errors.ts';
import type { CostBlock, Reason, Status } from '../rundir/result.ts';

/** What is known of a text run that gave no usable answer. */
export interface TextFailure {
  status: Exclude<Status, 'completed'>;
  /** As of a dispatch: the CLI's own, 127 missing, 124 a hung preflight, 128+n a signal; never 0. */
  exitCode: number;
  /** Why, in one word; null where nobody said. */
  reason: Reason | null;
  /** Whether the same prompt may succeed later; null where that is not known. */
  retryable: boolean | null;
  /** ISO 8601. */
  retryAt: string | null;
  /** What the implementer had said until then: its last words, or ''. */
  text: string;
  /** The last 20 lines of its stderr. */
  stderrTail: string[];
  sessionId: string | null;
  usage: CostBlock;
  toolCalls: number;
  /** Where the answer differs from the schema; empty for every other failure. */
  problems: string[];
  /** Where the raw stream is kept; null without `BATON_DEBUG=1`. */
  directory: string | null;
}

/**
 * A text run without a usable answer. `code` is `text-run` where the run failed, `no-text` where it succeeded and said
 * nothing, and `schema` where the answer did not match, also when it was asked to mend it.
 */
export class TextRunError extends BatonError {
  override readonly name = 'TextRunError';
  readonly failure: TextFailure;

  constructor(code: 'text-run' | 'no-text' | 'schema', message: string, failure: TextFailure) {
    super(code, message);
    this.failure = failure;
  }

  get reason(): Reason | null {
    return this.failure.reason;
  }

  get retryable(): boolean | null {
    return this.failure.retryable;
  }

  get text(): string {
    return this.failure.text;
  }

  get stderrTail(): string[] {
    return this.failure.stderrTail;
  }
}
