import { readFile } from 'node:fs/promises';
import { messageOf, UsageError } from '../core/errors.ts';
import { isObject, type JsonObject } from '../core/json.ts';

/** What the model does in a turn, in words of no vendor: a wire turns them into its own tools. */
export type Action =
  | { kind: 'say'; text: string }
  | { kind: 'bash'; command: string }
  | { kind: 'write'; path: string; content: string }
  | { kind: 'edit'; path: string; old: string; new: string }
  | { kind: 'read'; path: string }
  | { kind: 'tool'; name: string; input: JsonObject };

/** Tokens that the model claims to have used. */
export interface Usage {
  input: number;
  output: number;
  cached: number;
}

/** How one request for a turn is answered. `delayMs` passes first. */
export type Step = { delayMs: number } & (
  | { kind: 'turn'; actions: Action[]; usage: Usage }
  /** `times` requests get this HTTP error; Infinity: every one from here on. */
  | { kind: 'error'; status: number; type: string; message: string; times: number }
  /** The connection breaks after the beginning of a text, `times` times. */
  | { kind: 'hang-up'; text: string; times: number }
);

const DEFAULT_USAGE: Usage = { input: 100, output: 20, cached: 0 };
const HINT = 'docs/scripted-model.md describes scripts and every step';

/** Reads a script file. Throws a UsageError that names the file, the step, the field, and what would be right. */
export async function readModelScript(path: string): Promise<Step[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new UsageError(`the script ${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  try {
    return await parseModelScript(text);
  } catch (error) {
    throw new UsageError(`${path}: ${messageOf(error)}`, { hint: HINT, cause: error });
  }
}

/** A script from its text, YAML or JSON: a list of steps. Throws a UsageError. */
export async function parseModelScript(text: string): Promise<Step[]> {
  const { parse } = await import('yaml');
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw new UsageError(`it is neither YAML nor JSON: ${messageOf(error)}`, { cause: error });
  }
  return checkModelScript(value);
}

/** The same from a value that a program made. */
export function checkModelScript(value: unknown): Step[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw new UsageError('a script is a list of steps, such as `- say: Done.`');
  }
  const steps: Step[] = [];
  let delayMs = 0;
  value.forEach((entry: unknown, index) => {
    const where = `step ${index + 1}`;
    const unreachable = steps.at(-1);
    if (unreachable && unreachable.kind !== 'turn' && unreachable.times === Infinity) {
      throw new UsageError(
        `${where}: never reached, since step ${index} (${unreachable.kind}) has no times and so answers for ever`,
      );
    }
    const step = stepOf(where, entry);
    if (step === 'wait') {
      delayMs += waitOf(where, entry);
      return;
    }
    steps.push({ ...step, delayMs });
    delayMs = 0;
  });
  if (delayMs > 0)
    throw new UsageError('the last step is a wait: it must come before the step that it delays');
  return steps;
}

type BareStep = Step extends infer S ? (S extends Step ? Omit<S, 'delayMs'> : never) : never;

const ACTIONS = ['say', 'bash', 'write', 'edit', 'read', 'tool'] as const;
const STEPS = [...ACTIONS, 'turn', 'error', 'hang-up', 'wait'] as const;

function stepOf(where: string, entry: unknown): BareStep | 'wait' {
  const { usage, ...rest } = mapping(where, entry, [...STEPS, 'usage']);
  const kind = single(where, rest, STEPS);
  const value = rest[kind];
  const place = `${where} (${kind})`;
  if (usage !== undefined && ['error', 'hang-up', 'wait'].includes(kind)) {
    throw new UsageError(`${place}: usage belongs to a step in which the model answers`);
  }
  switch (kind) {
    case 'wait':
      return 'wait';
    case 'error':
      return errorOf(place, value);
    case 'hang-up': {
      const fields = mapping(place, typeof value === 'string' ? { say: value } : value, ['say', 'times']);
      return {
        kind: 'hang-up',
        text: text(place, fields, 'say', 'Half of a sent'),
        times: times(place, fields),
      };
    }
    case 'turn': {
      if (!Array.isArray(value))
        throw new UsageError(`${place}: must be a list of actions, such as \`- say: Hello\``);
      const actions = value.map((action: unknown, index) =>
        actionOf(`${place}, action ${index + 1}`, action),
      );
      return { kind: 'turn', actions, usage: usageOf(where, usage) };
    }
    default:
      return { kind: 'turn', actions: [actionOf(where, rest)], usage: usageOf(where, usage) };
  }
}

function actionOf(where: string, entry: unknown): Action {
  const fields = mapping(where, entry, ACTIONS);
  const kind = single(where, fields, ACTIONS);
  const value = fields[kind];
  const place = `${where} (${kind})`;
  switch (kind) {
    case 'say':
      return { kind, text: text(place, { text: value }, 'text') };
    case 'bash':
      return { kind, command: text(place, { command: value }, 'command') };
    case 'read':
      return { kind, path: text(place, { path: value }, 'path') };
    case 'write': {
      const write = mapping(place, value, ['path', 'content']);
      return { kind, path: text(place, write, 'path'), content: text(place, write, 'content') };
    }
    case 'edit': {
      const edit = mapping(place, value, ['path', 'old', 'new']);
      return {
        kind,
        path: text(place, edit, 'path'),
        old: text(place, edit, 'old'),
        new: text(place, edit, 'new'),
      };
    }
    default: {
      const tool = mapping(place, value, ['name', 'input']);
      const input = tool['input'] ?? {};
      if (!isObject(input)) throw new UsageError(`${place}: input must be a mapping, not ${show(input)}`);
      return { kind: 'tool', name: text(place, tool, 'name'), input };
    }
  }
}

/** The service's own words for the errors that it answers with. */
const ERROR_TYPES: { [status: number]: string } = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function errorOf(where: string, value: unknown): BareStep {
  const fields = mapping(where, typeof value === 'number' ? { status: value } : value, [
    'status',
    'type',
    'message',
    'times',
  ]);
  const status = whole(where, fields, 'status', 400, 599);
  const type = text(where, fields, 'type', ERROR_TYPES[status] ?? 'api_error');
  return {
    kind: 'error',
    status,
    type,
    message: text(where, fields, 'message', type),
    times: times(where, fields),
  };
}

function times(where: string, fields: JsonObject): number {
  return fields['times'] === undefined ? Infinity : whole(where, fields, 'times', 1, 1000);
}

function usageOf(where: string, value: unknown): Usage {
  if (value === undefined) return DEFAULT_USAGE;
  const place = `${where} (usage)`;
  const fields = mapping(place, value, ['input', 'output', 'cached']);
  const tokens = (name: keyof Usage): number =>
    fields[name] === undefined ? DEFAULT_USAGE[name] : whole(place, fields, name, 0, 1e9);
  return { input: tokens('input'), output: tokens('output'), cached: tokens('cached') };
}

const WAIT = /^(\d{1,6})(ms|s|m)$/;
const UNITS: { [unit: string]: number } = { ms: 1, s: 1000, m: 60_000 };
const LONGEST_WAIT = 3_600_000;

function waitOf(where: string, entry: unknown): number {
  const value = isObject(entry) ? entry['wait'] : undefined;
  const [, digits, unit] = (typeof value === 'string' ? WAIT.exec(value) : null) ?? [];
  const ms = Number(digits) * (UNITS[unit ?? ''] ?? NaN);
  if (ms <= LONGEST_WAIT) return ms;
  throw new UsageError(
    `${where} (wait): must be a time of an hour at most, such as 50ms, 2s or 1m, not ${show(value)}`,
  );
}

function mapping(where: string, value: unknown, keys: readonly string[]): JsonObject {
  if (!isObject(value))
    throw new UsageError(`${where}: must be a mapping with ${keys.join(', ')}, not ${show(value)}`);
  const strange = Object.keys(value).find((key) => !keys.includes(key));
  if (strange === undefined) return value;
  throw new UsageError(`${where}: unknown field ${JSON.stringify(strange)}; known are ${keys.join(', ')}`);
}

function single<K extends string>(where: string, fields: JsonObject, kinds: readonly K[]): K {
  const [kind, second] = kinds.filter((candidate) => fields[candidate] !== undefined);
  if (kind !== undefined && second === undefined) return kind;
  const given = kind === undefined ? 'none' : `${kind} and ${second}`;
  throw new UsageError(
    `${where}: give exactly one of ${kinds.join(', ')} (given: ${given}); a turn holds several`,
  );
}

function text(where: string, fields: JsonObject, name: string, fallback?: string): string {
  const value = fields[name] ?? fallback;
  if (typeof value === 'string') return value;
  if (value === undefined) throw new UsageError(`${where}: ${name} is missing`);
  // YAML reads 1.10 as a number: writing it back would lose a digit.
  throw new UsageError(`${where}: ${name} must be a string (put it in quotes), not ${show(value)}`);
}

function whole(where: string, fields: JsonObject, name: string, min: number, max: number): number {
  const value = fields[name];
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new UsageError(`${where}: ${name} must be a whole number from ${min} to ${max}, not ${show(value)}`);
}

function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return isObject(value) ? 'a mapping' : (JSON.stringify(value) ?? 'nothing');
}
