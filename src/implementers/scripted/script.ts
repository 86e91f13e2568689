import { readFileSync } from 'node:fs';
import { BatonError, messageOf, UsageError } from '../../core/errors.ts';
import { arrayOf, isObject, type JsonObject } from '../../core/json.ts';
import { Fields } from './fields.ts';
import type { Play } from './stage.ts';
import type { StepKind } from './step-kind.ts';
import { STEP_KINDS } from './steps/index.ts';

/** A script as it is played: checked from end to end before anything happens. */
export interface Script {
  /** Whose records are printed; null: the command line tells. */
  shape: Shape | null;
  version: VersionAnswer;
  /** Of a new session; on resume it is the id that the CLI goes on with. */
  session: string | null;
  model: string | null;
  /** Milliseconds between two steps, for a person to watch. */
  pace: number;
  lineEnding: string;
  /** Print the session record before the first step. */
  init: boolean;
  /** What the session record says of the sandbox: what the settings ask for, or what the script says. */
  sandbox: 'as-asked' | 'on' | 'off' | 'unsaid';
  readBrief: boolean;
  expect: Expectations;
  steps: Step[];
  /** Played instead of `steps` when a session is resumed. */
  onResume: Step[] | null;
}

/** How `--version` is answered. */
export interface VersionAnswer {
  text: string;
  exit: number;
  hang: boolean;
  stderr: string | null;
}

/** What must be so before the play begins; otherwise the player says what is not, and exits with 3. */
export interface Expectations {
  brief: string | null;
  args: readonly string[];
  /** null: the variable must not be set. */
  env: ReadonlyMap<string, string | null>;
}

export interface Step {
  /** For messages: `step 3 (write)`. */
  label: string;
  withoutInit: boolean;
  play: Play;
}

export const DEFAULT_VERSION: VersionAnswer = {
  text: '0.0.0 (baton-scripted)',
  exit: 0,
  hang: false,
  stderr: null,
};

const SHAPES = ['claude', 'codex'] as const;
export type Shape = (typeof SHAPES)[number];
const KEYS = [
  'shape',
  'version',
  'session',
  'model',
  'pace',
  'line-ending',
  'init',
  'sandbox',
  'read-brief',
  'expect-brief',
  'expect-args',
  'expect-env',
  'steps',
  'on-resume',
];
const SESSION_FORM = /^[A-Za-z0-9][A-Za-z0-9._:-]*$/;
const HINT = 'docs/scripted.md describes scripts and every step';

/** Reads a script file. Throws a `UsageError` that names the file, the step, the key and what would be right. */
export async function readScript(file: string): Promise<Script> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`the script ${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  try {
    return await parseScript(text);
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    throw new UsageError(`${file}: ${error.message}`, { hint: HINT, cause: error });
  }
}

/** A script from its text. Throws a `UsageError`. */
export async function parseScript(text: string): Promise<Script> {
  const value = await parseYaml(text);
  if (!isObject(value) && !Array.isArray(value)) {
    throw new UsageError('a script is a list of steps, or a mapping with `steps:`');
  }
  const fields = Fields.of('script', Array.isArray(value) ? { steps: value } : value, KEYS);
  const session = fields.optionalText('session');
  if (session !== null && !SESSION_FORM.test(session))
    fields.fail('session', 'must be letters, digits and . _ : -');
  return {
    shape: fields.has('shape') ? fields.choice('shape', SHAPES) : null,
    version: versionOf(fields.raw('version')),
    session,
    model: fields.optionalText('model'),
    pace: fields.delay('pace', 0),
    lineEnding: fields.choice('line-ending', ['lf', 'crlf'], 'lf') === 'lf' ? '\n' : '\r\n',
    init: fields.flag('init', true) && !placesInit(fields),
    sandbox: fields.choice('sandbox', ['as-asked', 'on', 'off', 'unsaid'], 'as-asked'),
    readBrief: fields.flag('read-brief', true),
    expect: {
      brief: fields.optionalText('expect-brief'),
      args: fields.texts('expect-args'),
      env: expectedEnv(fields.object('expect-env')),
    },
    steps: stepsOf(fields.list('steps'), 'step'),
    onResume: fields.has('on-resume') ? stepsOf(fields.list('on-resume'), 'on-resume step') : null,
  };
}

async function parseYaml(text: string): Promise<unknown> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw new UsageError(`not valid YAML: ${error.message.trim()}`);
  try {
    return document.toJS();
  } catch (error) {
    // Aliases are resolved only here: one without an anchor, or too many of them.
    throw new UsageError(`not valid YAML: ${messageOf(error)}`, { cause: error });
  }
}

function versionOf(value: unknown): VersionAnswer {
  const fields = Fields.of('version', value, ['text', 'exit', 'hang', 'stderr'], 'text');
  return {
    text: fields.optionalText('text') ?? DEFAULT_VERSION.text,
    exit: fields.whole('exit', 0, 255, 0),
    hang: fields.flag('hang'),
    stderr: fields.optionalText('stderr'),
  };
}

function expectedEnv(given: JsonObject): Map<string, string | null> {
  const fields = Fields.of('expect-env', given, Object.keys(given));
  return new Map(Object.keys(given).map((name) => [name, fields.optionalText(name)]));
}

/** A script with an `init` step of its own says itself where the session record comes. */
function placesInit(fields: Fields): boolean {
  const steps = [...arrayOf(fields.raw('steps')), ...arrayOf(fields.raw('on-resume'))];
  return steps.some((step) => step === 'init' || (isObject(step) && 'init' in step));
}

function stepsOf(list: readonly unknown[], noun: string): Step[] {
  return list.map((value, index) => {
    const number = `${noun} ${index + 1}`;
    const { name, kind, given } = kindOf(value, number);
    const label = `${number} (${name})`;
    if (kind.ends && index < list.length - 1) {
      throw new UsageError(`${label}: ends the play, so the steps after it would never be played`);
    }
    const fields = kind.whole
      ? Fields.of(label, { fields: given }, kind.keys)
      : Fields.of(label, given, kind.keys, kind.shorthand);
    return { label, withoutInit: kind.withoutInit?.(fields) ?? false, play: kind.read(fields) };
  });
}

/** `- no-result` is a step's bare name, `- say: hello` a mapping of one key. */
function kindOf(value: unknown, number: string): { name: string; kind: StepKind; given: unknown } {
  const [name, second] = typeof value === 'string' ? [value] : isObject(value) ? Object.keys(value) : [];
  if (name === undefined || second !== undefined) {
    const found =
      second === undefined ? '' : ` (found ${name} and ${second}: is one of them indented too little?)`;
    throw new UsageError(`${number}: must be one step, such as \`say: hello\`${found}`);
  }
  const kind = Object.hasOwn(STEP_KINDS, name) ? STEP_KINDS[name] : undefined;
  if (!kind) {
    throw new UsageError(
      `${number}: there is no step ${JSON.stringify(name)}; steps: ${Object.keys(STEP_KINDS).join(', ')}`,
    );
  }
  return { name, kind, given: isObject(value) ? value[name] : null };
}
