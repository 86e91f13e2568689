import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { openOutputSchema } from '../../src/running/output-schema.ts';

const VERDICT: JsonObject = {
  type: 'object',
  properties: { verdict: { enum: ['pass', 'fail'] }, score: { type: 'integer', minimum: 0 } },
  required: ['verdict'],
  additionalProperties: false,
};

async function read(schema: JsonObject, finalText: string, structuredOutput?: unknown) {
  const opened = await openOutputSchema(schema);
  return opened.read(structuredOutput === undefined ? { finalText } : { finalText, structuredOutput });
}

describe('an answer', () => {
  test('that matches gives its value: the CLI’s own, or else the text', async () => {
    expect(await read(VERDICT, '{"verdict":"pass"}')).toEqual({ value: { verdict: 'pass' } });
    expect(await read(VERDICT, 'Done.', { verdict: 'fail', score: 3 })).toEqual({
      value: { verdict: 'fail', score: 3 },
    });
  });

  test('that does not match is told all that is wrong, and where', async () => {
    expect(await read(VERDICT, '{"verdict":"maybe","score":-1,"extra":1}')).toEqual({
      problems: [
        'the answer: must NOT have additional properties "extra"',
        '/verdict: must be equal to one of the allowed values ["pass","fail"]',
        '/score: must be >= 0',
      ],
    });
    expect(await read(VERDICT, '{}')).toEqual({
      problems: ["the answer: must have required property 'verdict'"],
    });
  });

  test.each(['', 'Sure! {"verdict":"pass"}', '```json\n{"verdict":"pass"}\n```', '{"verdict":'])(
    '%j is not JSON',
    async (text) => {
      expect(await read(VERDICT, text)).toEqual({
        problems: [expect.stringContaining('the answer is not JSON')],
      });
    },
  );

  test('with very many mistakes names twenty', async () => {
    const reading = await read(
      { type: 'array', items: { type: 'string' } },
      JSON.stringify(Array(100).fill(1)),
    );
    expect(reading).toMatchObject({ problems: { length: 20 } });
  });
});

describe('a schema', () => {
  test.each([
    undefined,
    'https://json-schema.org/draft/2020-12/schema',
    'http://json-schema.org/draft-07/schema#',
  ])('of draft %j is understood', async ($schema) => {
    const schema = { ...($schema ? { $schema } : {}), type: 'array', contains: { const: 1 } };
    expect(await read(schema, '[2,1]')).toEqual({ value: [2, 1] });
    expect(await read(schema, '[2]')).toHaveProperty('problems');
  });

  test('means what its draft says', async () => {
    const pair = { type: 'array', prefixItems: [{ type: 'string' }] };
    expect(await read(pair, '[1]')).toHaveProperty('problems');
    const old = { $schema: 'http://json-schema.org/draft-07/schema#', ...pair };
    expect(await read(old, '[1]')).toEqual({ value: [1] });
  });

  test('may have notes that baton does not know', async () => {
    const schema = { type: 'string', format: 'email', 'x-vendor': true };
    expect(await read(schema, '"no mail"')).toEqual({ value: 'no mail' });
  });

  test('is passed on as it is', async () => {
    expect(JSON.parse((await openOutputSchema(VERDICT)).text)).toEqual(VERDICT);
  });

  test.each([
    [{ type: 'strin' }, 'type'],
    [{ $ref: '#/$defs/none' }, '#/$defs/none'],
    [{ $ref: 'https://example.invalid/other.json' }, 'example.invalid'],
    [{ $schema: 'http://json-schema.org/draft-04/schema#' }, 'draft-04'],
    [{ $schema: 7 }, '7'],
    [{ $async: true, type: 'object' }, '$async'],
    [{ type: 'string', pattern: '(' }, 'schema'],
  ])('%j is refused', async (schema, named) => {
    const opened = openOutputSchema(schema);
    await expect(opened).rejects.toMatchObject({ code: 'usage' });
    await expect(opened).rejects.toThrow(named);
  });
});
