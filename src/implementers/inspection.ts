import type { Env } from '../core/environment.ts';
import type { Executable } from './executable.ts';

/** What a longer look at an installed CLI may use. It never costs a model call, and connects to nothing. */
export interface InspectRequest {
  env: Env;
  /** Where a run would work: shims may choose another version there. */
  cwd: string;
  platform: NodeJS.Platform;
  /** Of each question that the CLI is asked. */
  limitMs: number;
  signal: AbortSignal;
}

/** One thing that a run needs, as it was found. */
export interface Check {
  /** Stable, for programs: `signed-in`, `bubblewrap` ... */
  id: string;
  /** `problem`: a dispatch would not start, or would end at once. */
  state: 'ok' | 'warning' | 'problem';
  text: string;
  /** The command that mends it, or what to do where there is no such command. */
  remedy?: string;
}

/** The models that a CLI can be asked for. */
export interface Models {
  /** `reported` by the CLI itself; `unsupported` where it has no list to ask for; `failed` where it did not answer. */
  status: 'reported' | 'unsupported' | 'failed';
  values: string[];
  /** There are more than are listed. */
  truncated: boolean;
}

/** An agent CLI as it is installed here. */
export interface Inspection {
  executable: Executable;
  /** Null where the CLI does not tell. */
  authenticated: boolean | null;
  models: Models;
  /** The executable first, then what else a run needs. */
  checks: Check[];
}

export const NO_MODELS: Models = { status: 'unsupported', values: [], truncated: false };
export const FAILED_MODELS: Models = { status: 'failed', values: [], truncated: false };
const MOST_MODELS = 200;

export function listedModels(names: readonly string[]): Models {
  const values = [...new Set(names)];
  return { status: 'reported', values: values.slice(0, MOST_MODELS), truncated: values.length > MOST_MODELS };
}
