import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BatonError } from '../../src/core/errors.ts';
import { CONFIG_FILE, PACKAGE_FILE, parseConfig } from '../../src/gates/config.ts';
import { PROJECT } from '../support/project.ts';

const parse = (text: string, path = CONFIG_FILE) => parseConfig(path, Buffer.from(text));
const gate = (more: object = {}): object => ({ name: 'test', command: 'npm test', ...more });
const withGate = (more: object): string => JSON.stringify({ gates: [gate(more)] });

it('reads comments, trailing commas and defaults', () => {
  expect(
    parse(`{
      // what must pass
      "$schema": "./baton.config.schema.json",
      "gates": [ { "name": "test", "command": "npm test", /* slow */ "timeout": "1h30m" }, ],
    }`),
  ).toEqual([
    {
      name: 'test',
      command: 'npm test',
      cwd: '.',
      timeoutMs: 5_400_000,
      env: {},
      when: [],
      source: 'config',
    },
  ]);
  expect(parse('{}')).toEqual([]);
  expect(
    parse(withGate({ env: { CI: '1', NPM_TOKEN: true }, when: ['src/**'], cwd: 'a/b' }))?.[0],
  ).toMatchObject({
    env: { CI: '1', NPM_TOKEN: true },
    when: ['src/**'],
    cwd: 'a/b',
    timeoutMs: 1_800_000,
  });
});

it('reads the field baton of a package.json, which is strict JSON', () => {
  expect(parse('{"name":"x"}', PACKAGE_FILE)).toBe(null);
  expect(parse(`{"baton":${withGate({})}}`, PACKAGE_FILE)).toHaveLength(1);
  expect(() => parse(`{"baton":${withGate({})}, /* no */ "a":1}`, PACKAGE_FILE)).toThrow(
    /InvalidCommentToken/,
  );
  expect(() => parse('{"baton":{"gate":[]}}', PACKAGE_FILE)).toThrow(/package\.json cannot be used: baton: /);
  // A manifest that no one could read is none of ours, as long as it does not speak of baton.
  expect(parse('{ // a template\n "name": {{x}} }', PACKAGE_FILE)).toBe(null);
  expect(parse('{"__proto__":{"baton":{"gates":[]}}}', PACKAGE_FILE)).toBe(null);
  expect(parse('["baton"]', PACKAGE_FILE)).toBe(null);
});

const WRONG: [what: string, text: string, why: RegExp][] = [
  ['nothing', '', /line 1/],
  ['a list', '[]', /expected object/],
  ['a syntax error', '{\n"gates": [\n}', /line 3/],
  ['an unknown field', '{"gate":[]}', /Unrecognized key.*"gate"/],
  ['an unknown field of a gate', withGate({ cmd: 'x' }), /gates\.0.*"cmd"/],
  ['no command', '{"gates":[{"name":"a"}]}', /gates\.0\.command/],
  ['an empty command', withGate({ command: '' }), /gates\.0\.command/],
  ['a NUL byte', withGate({ command: 'a\0b' }), /gates\.0\.command/],
  ['a bad name', withGate({ name: '../x' }), /gates\.0\.name/],
  ['a name that is too long', withGate({ name: 'x'.repeat(65) }), /gates\.0\.name/],
  ['two of one name', JSON.stringify({ gates: [gate(), gate()] }), /two gates have the name "test"/],
  ['a number for a duration', withGate({ timeout: 30 }), /timeout/],
  ['a bad duration', withGate({ timeout: '30' }), /timeout/],
  ['no time at all', withGate({ timeout: '0s' }), /zero/],
  ['more than a timer holds', withGate({ timeout: '600h' }), /too long/],
  ['an absolute directory', withGate({ cwd: '/etc' }), /cwd/],
  ['a way out', withGate({ cwd: 'a/../../b' }), /cwd/],
  ['the folder above', withGate({ cwd: '..' }), /cwd/],
  ['a number for a variable', withGate({ env: { A: 1 } }), /env\.A/],
  ['a false variable', withGate({ env: { A: false } }), /env\.A/],
  ['a bad variable', withGate({ env: { 'A=B': 'x' } }), /env/],
  ['a glob that takes away', withGate({ when: ['src/**', '!src/x'] }), /when/],
  ['no glob at all', withGate({ when: [] }), /when/],
  ['an inherited list of gates', `{"__proto__":${withGate({})}}`, /__proto__/],
  ['an inherited command', '{"gates":[{"name":"a","__proto__":{"command":"x"}}]}', /__proto__/],
  ['a field twice', '{"gates":[],"gates":[]}', /"gates" stands there twice/],
];

it.each(WRONG)('refuses %s', (_, text, why) => {
  expect(() => parse(text)).toThrow(why);
  expect(() => parse(text)).toThrow(/^baton\.config\.json cannot be used: /);
});

it('takes names of the prototype for what they are: names', () => {
  expect(
    parse('{"gates":[{"name":"constructor","command":"x","env":{"constructor":"y","toString":true}}]}'),
  ).toEqual([expect.objectContaining({ name: 'constructor', env: { constructor: 'y', toString: true } })]);
});

it('never throws anything but a BatonError, and never inherits', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.json().map((text) => `{"gates":${text}}`),
      ),
      (text) => {
        const [gates, error] = outcomeOf(text);
        expect(error === null || error instanceof BatonError).toBe(true);
        expect(gates.every((found) => Object.getPrototypeOf(found) === Object.prototype)).toBe(true);
      },
    ),
  );
});

function outcomeOf(text: string): [gates: object[], error: unknown] {
  try {
    return [parse(text) ?? [], null];
  } catch (error) {
    return [[], error];
  }
}

describe('the published schema', () => {
  const schema: object = JSON.parse(
    readFileSync(join(PROJECT, 'docs', 'contracts', 'baton.config.schema.json'), 'utf8'),
  );
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);

  it('accepts what is read', () => {
    for (const text of [
      '{}',
      withGate({}),
      withGate({ env: { A: 'x', B: true }, when: ['a'], cwd: 'a/..b', timeout: '1h2m3s' }),
    ]) {
      expect(validate(JSON.parse(text))).toBe(true);
      expect(parse(text)).toBeDefined();
    }
  });

  it('refuses a misspelt field, as baton does: it is closed', () => {
    for (const text of [
      '{"gate":[]}',
      withGate({ cmd: 'x' }),
      withGate({ timeout: '30' }),
      withGate({ cwd: '../x' }),
    ]) {
      expect(validate(JSON.parse(text))).toBe(false);
      expect(() => parse(text)).toThrow(BatonError);
    }
  });
});
