import { copyEnv, readVariable, type Env } from '../core/environment.ts';
import { UsageError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { AgentEvent } from '../implementers/events.ts';
import type { Implementer, TextLaunch } from '../implementers/implementer.ts';
import {
  checkBrief,
  checkDirectory,
  checkEffort,
  checkModel,
  chooseImplementer,
  refuseRecursion,
} from './checks.ts';
import { sourcedTimeout, type Limit, type SourcedLimit } from './resolve-timeout.ts';

/** How to run it, and who listens. */
export interface TextOptions extends TextListeners {
  /** Directory to work in. Default: the current one. */
  cwd?: string;
  model?: string;
  effort?: string;
  /** The whole run, the mending of an answer among it. Default: `BATON_TIMEOUT`, else `defaultTimeout`, else five minutes. */
  timeout?: Limit;
  /** What holds where neither `timeout` nor the variable does. */
  defaultTimeout?: Limit;
  /** `none`: the model can only talk. Default `profile`: it may read, as in a read-only run. */
  tools?: TextLaunch['tools'];
  /** A JSON Schema (draft 2020-12 or 7) that the answer must match. It comes as `structuredOutput`. */
  schema?: JsonObject;
  /** The environment of the run; nothing else is inherited. Default: this process's. */
  env?: Env;
  /** Ends the run: TERM, then KILL. `reason` may be a signal name such as `SIGTERM`; default `SIGINT`. */
  signal?: AbortSignal;
  /** A second request: skips the waits. */
  hurry?: AbortSignal;
}

interface TextListeners {
  onEvent?: (event: AgentEvent) => void;
  /** The implementer's stderr as it grows. */
  onStderr?: (chunk: Uint8Array) => void;
  /** Where the raw stream is kept; only with `BATON_DEBUG=1`, once for each launch. */
  onKept?: (directory: string) => void;
  /** Facts for a person that are no failure. */
  onWarning?: (text: string) => void;
}

/** Options that hold: every value checked, every default filled in. Nothing is on disk yet. */
export interface TextRequest {
  prompt: Uint8Array;
  implementer: Implementer;
  workdir: string;
  model: string | null;
  effort: string | null;
  timeout: SourcedLimit;
  tools: TextLaunch['tools'];
  schema: JsonObject | null;
  env: Env;
  /** Keep the raw stream. */
  debug: boolean;
  signal: AbortSignal;
  hurry: AbortSignal;
  listeners: TextListeners;
}

const DEFAULT_TIMEOUT = '5m';

/** Throws a UsageError that names the value and the rule. */
export function checkTextOptions(
  prompt: string | Uint8Array,
  options: TextOptions,
  implementerId: string,
): TextRequest {
  const env = options.env ?? copyEnv(process.env);
  refuseRecursion(env);
  const implementer = chooseImplementer(implementerId, env);
  const { model, effort } = options;
  refuseUnsupported(implementer, model !== undefined && !implementer.capabilities.model, '--model');
  refuseUnsupported(
    implementer,
    effort !== undefined && implementer.capabilities.effort === false,
    '--effort',
  );
  const platform = process.platform;
  const refusal = implementer.refuse({ profile: 'read-only', env, platform, uid: process.getuid?.() });
  if (refusal) throw new UsageError(refusal.message, { hint: refusal.hint });
  return {
    prompt: checkBrief(prompt, 'prompt'),
    implementer,
    workdir: checkDirectory(options.cwd ?? process.cwd()).workdir,
    model: model === undefined ? null : checkModel(model),
    effort: effort === undefined ? null : checkEffort(effort, implementer),
    timeout: sourcedTimeout(options.timeout, options.defaultTimeout ?? DEFAULT_TIMEOUT, env),
    tools: options.tools ?? 'profile',
    schema: options.schema ?? null,
    env,
    debug: readVariable(env, 'BATON_DEBUG') === '1',
    signal: options.signal ?? new AbortController().signal,
    hurry: options.hurry ?? new AbortController().signal,
    listeners: options,
  };
}

function refuseUnsupported(implementer: Implementer, refused: boolean, flag: string): void {
  if (refused) throw new UsageError(`${flag} is not supported by the implementer ${implementer.id}`);
}
