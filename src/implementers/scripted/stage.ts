import type { Env } from '../../core/environment.ts';
import { BatonError, messageOf } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Flags } from './flags.ts';
import type { Output } from './output.ts';
import { locate, type Place } from './places.ts';
import type { CodexRecords } from './codex-records.ts';
import type { ClaudeRecords, ToolOutcome } from './records.ts';

/** What one happening leaves in the stream: with some CLIs a record, with others none or two. */
export type Printed = JsonObject | JsonObject[];

/** What a step acts on: the player's outputs, its records, and how the play is to end. */
export class Stage {
  readonly cwd: string;
  readonly env: Env;
  readonly flags: Flags;
  readonly out: Output;
  readonly err: Output;
  readonly records: ClaudeRecords | CodexRecords;
  readonly lineEnding: string;
  /** Aborted by TERM: a command that runs is ended with it. */
  readonly stop: AbortSignal;
  onTerm: 'leave' | 'ignore' | 'exit-zero' = 'leave';
  /** The play needs no closing record any more: there was one, or the script wants none. */
  closed = false;
  /** The session record was printed. */
  begun = false;
  exitCode = 0;
  /** The step ended the play: nothing more is printed. */
  left = false;
  /** For messages: `step 3 (write)`. */
  step = '';

  constructor(
    given: Pick<Stage, 'cwd' | 'env' | 'flags' | 'out' | 'err' | 'records' | 'lineEnding' | 'stop'>,
  ) {
    this.cwd = given.cwd;
    this.env = given.env;
    this.flags = given.flags;
    this.out = given.out;
    this.err = given.err;
    this.records = given.records;
    this.lineEnding = given.lineEnding;
    this.stop = given.stop;
  }

  /** Prints records, each on a line of its own. */
  emit(printed: Printed): void {
    this.out.write(this.lines(printed));
  }

  /** The text of records as they are printed. */
  lines(printed: Printed): string {
    const records = Array.isArray(printed) ? printed : [printed];
    return records.map((record) => JSON.stringify(record) + this.lineEnding).join('');
  }

  emitInit(changes: JsonObject = {}): void {
    this.begun = true;
    this.emit(this.records.init(changes));
  }

  /** A closing record: the play ends without a further one. */
  emitResult(changes: JsonObject = {}): void {
    this.closed = true;
    this.emit(this.records.result(changes));
  }

  complain(text: string): void {
    this.err.write(`baton-scripted: ${this.step === '' ? '' : `${this.step}: `}${text}\n`);
  }

  locate(place: Place, follow = true): string {
    return locate(this.cwd, place, follow);
  }

  /**
   * Does something as a tool call: the call is printed first, then its result. What the system refuses is the tool's
   * error, as in the real CLI, and goes to stderr too, so that a mistake in a script is seen; the play goes on.
   */
  async tool(
    name: string,
    input: JsonObject,
    act: (id: string) => ToolOutcome | Promise<ToolOutcome>,
  ): Promise<ToolOutcome> {
    const id = this.records.newToolId();
    this.emit(this.records.toolUse(id, name, input));
    let outcome: ToolOutcome;
    try {
      outcome = await act(id);
    } catch (error) {
      if (error instanceof BatonError) throw error;
      this.complain(messageOf(error));
      outcome = { content: messageOf(error), ok: false, detail: null };
    }
    this.emit(this.records.toolResult(id, outcome));
    return outcome;
  }
}

/** What a parsed step does; a promise is waited for, its value means nothing. */
export type Play = (stage: Stage) => unknown;
