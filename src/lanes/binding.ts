import { parseDuration } from '../core/duration.ts';
import { messageOf } from '../core/errors.ts';
import { isObject } from '../core/json.ts';
import {
  EFFORT_FORM,
  EFFORT_RULE,
  MODEL_FORM,
  MODEL_RULE,
  SANDBOX_MODES,
} from '../implementers/dial-forms.ts';
import { asText } from './as-text.ts';
import {
  type Binding,
  DIAL_NAMES,
  type DialName,
  type Dials,
  dialsOf,
  drivenBy,
  IMPLEMENTER_KEYS,
} from './lane.ts';

/** What stands under a lane's name: what it binds, or what is wrong with it. */
export type ReadBinding = { binding: Binding; problem: null } | { binding: null; problem: string };

/** Reads one lane of a file. Only its own fields are looked at, never what an object inherits. Never throws. */
export function readBinding(value: unknown): ReadBinding {
  if (!isObject(value)) return wrong('it is no object');
  const fields = new Map(Object.entries(value));
  const implementer = fields.get('implementer');
  if (implementer === undefined)
    return wrong(`it names no implementer: write one of ${IMPLEMENTER_KEYS.join(', ')}`);
  if (typeof implementer !== 'string' || !IMPLEMENTER_KEYS.includes(implementer))
    return wrong(
      `the implementer ${asText(implementer)} is not known: write one of ${IMPLEMENTER_KEYS.join(', ')}`,
    );
  fields.delete('implementer');
  const dials: Dials = {};
  for (const [field, given] of fields) {
    const problem = setDial(dials, implementer, field, given);
    if (problem !== null) return wrong(problem);
  }
  const contradiction = contradictionIn(dials);
  return contradiction === null ? { binding: { implementer, dials }, problem: null } : wrong(contradiction);
}

function wrong(problem: string): ReadBinding {
  return { binding: null, problem };
}

/** Sets a dial that holds. Returns what is wrong with one that does not. */
function setDial(dials: Dials, implementer: string, field: string, value: unknown): string | null {
  const supported = dialsOf(implementer);
  const dial = DIAL_NAMES.find((name) => name === field);
  if (dial === undefined || !supported.includes(dial)) {
    const what = dial === undefined ? 'is no dial' : `is not supported by ${implementer}`;
    return `${asText(field)} ${what}: ${implementer} has ${supported.join(', ')}`;
  }
  if (dial === 'readOnly' || dial === 'force') {
    if (typeof value !== 'boolean') return `${dial} ${asText(value)} is neither true nor false`;
    dials[dial] = value;
    return null;
  }
  if (typeof value !== 'string' || value === '') return `${dial} ${asText(value)} is no text`;
  dials[dial] = value;
  return faultOf(implementer, dial, value);
}

/** What is wrong with the value of a text dial. Of a CLI that baton does not start, only the duration is known. */
function faultOf(implementer: string, dial: DialName, value: string): string | null {
  if (dial === 'timeout') return durationFault(value);
  const levels = drivenBy(implementer)?.capabilities.effort;
  if (levels === undefined) return null;
  if (dial === 'model') return MODEL_FORM.test(value) ? null : `model ${asText(value)} is not ${MODEL_RULE}`;
  if (dial === 'sandbox') return oneOf(dial, value, SANDBOX_MODES);
  if (typeof levels === 'object') return oneOf(dial, value, levels);
  return EFFORT_FORM.test(value) ? null : `effort ${asText(value)} is not ${EFFORT_RULE}`;
}

function oneOf(dial: DialName, value: string, choices: readonly string[]): string | null {
  return choices.includes(value) ? null : `${dial} ${asText(value)} is none of ${choices.join(', ')}`;
}

function durationFault(value: string): string | null {
  try {
    parseDuration(value, 'timeout');
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** A lane that may not write cannot ask for a way to write as well: nobody could tell which of them it gets. */
function contradictionIn({ readOnly, sandbox, permissionMode, force }: Dials): string | null {
  if (!readOnly) return null;
  const against = [
    sandbox === undefined || sandbox === 'read-only' ? null : `sandbox ${asText(sandbox)}`,
    permissionMode === undefined || permissionMode === 'plan'
      ? null
      : `permissionMode ${asText(permissionMode)}`,
    force ? 'force true' : null,
  ].find((dial) => dial !== null);
  return against === undefined
    ? null
    : `readOnly true and ${against} contradict each other: leave one of them out`;
}
