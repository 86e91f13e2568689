import type { Env } from '../core/environment.ts';

/** What a command may touch of the outer world. `main.ts` makes the real one. */
export interface Io {
  env: Env;
  readonly stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  /** Colour on stdout. */
  colour: boolean;
  /** From now on SIGINT, SIGTERM and SIGHUP no longer end the process: the first one aborts `signal`, the second `hurry`. */
  interruptible(): { signal: AbortSignal; hurry: AbortSignal };
}

/** What a command leaves for the caller of the process. */
export type ExitCode = number;
