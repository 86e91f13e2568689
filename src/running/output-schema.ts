import type { ErrorObject } from 'ajv';
import { messageOf, UsageError } from '../core/errors.ts';
import { type JsonObject, stringOf } from '../core/json.ts';
import { truncate } from '../core/text.ts';
import type { AgentClaim } from '../implementers/events.ts';

/** The schema that an answer must match. */
export interface OutputSchema {
  /** As JSON, for the CLI. */
  text: string;
  /** Takes the value out of an answer and holds it against the schema. */
  read(claim: Pick<AgentClaim, 'structuredOutput' | 'finalText'>): SchemaReading;
}

export type SchemaReading = { value: unknown } | { problems: string[] };

const DRAFT_2020 = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;
const DRAFT_7 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;
/** A wrong list can be wrong in every entry; nobody reads more than this. */
const MAX_PROBLEMS = 20;

/** Makes a schema ready for use. Throws a UsageError for one that is none. */
export async function openOutputSchema(schema: JsonObject): Promise<OutputSchema> {
  const problemsOf = await compile(schema);
  return {
    text: JSON.stringify(schema),
    read(claim) {
      const found = valueIn(claim);
      if ('problems' in found) return found;
      const problems = problemsOf(found.value);
      return problems.length > 0 ? { problems } : found;
    },
  };
}

/** A CLI that knows schemas hands the value over itself; elsewhere the answer is the JSON text. */
function valueIn({ structuredOutput, finalText }: Parameters<OutputSchema['read']>[0]): SchemaReading {
  if (structuredOutput !== undefined && structuredOutput !== null) return { value: structuredOutput };
  try {
    const value: unknown = JSON.parse(finalText);
    return { value };
  } catch (error) {
    return { problems: [`the answer is not JSON: ${truncate(messageOf(error), 200)}`] };
  }
}

async function compile(schema: JsonObject): Promise<(value: unknown) => string[]> {
  if ('$async' in schema)
    throw new UsageError('the schema cannot be used: $async is not a keyword of JSON Schema');
  const ajv = await validatorFor(schema['$schema']);
  try {
    const validate = ajv.compile(schema);
    return (value) => (validate(value) ? [] : (validate.errors ?? []).slice(0, MAX_PROBLEMS).map(inWords));
  } catch (error) {
    throw new UsageError(`the schema cannot be used: ${messageOf(error)}`, { cause: error });
  }
}

/** Loaded here only: no other run pays for it. Formats and unknown keywords are notes, as the standard has it. */
async function validatorFor(draft: unknown) {
  const options = { allErrors: true, strict: false, validateFormats: false, logger: false } as const;
  const name = stringOf(draft);
  if (draft === undefined || (name !== null && DRAFT_2020.test(name))) {
    const { Ajv2020 } = await import('ajv/dist/2020.js');
    return new Ajv2020(options);
  }
  if (name !== null && DRAFT_7.test(name)) {
    const { Ajv } = await import('ajv');
    return new Ajv(options);
  }
  throw new UsageError(
    `the schema cannot be used: $schema ${JSON.stringify(draft)} is not known: draft 2020-12 and draft-07 are`,
  );
}

function inWords({ instancePath, message, params }: ErrorObject): string {
  const values: unknown[] = Object.values(params);
  const detail = ['additionalProperty', 'unevaluatedProperty', 'allowedValues', 'allowedValue'].some(
    (name) => name in params,
  )
    ? ` ${truncate(JSON.stringify(values[0]), 200)}`
    : '';
  return `${instancePath || 'the answer'}: ${message ?? 'does not match'}${detail}`;
}
