import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFleet } from '../../src/lanes/fleet-file.ts';
import { DIAL_NAMES, dialsOf, IMPLEMENTER_KEYS } from '../../src/lanes/lane.ts';
import { fleetText } from './fleets.ts';

const RUNS = { numRuns: Number(process.env['BATON_PROPERTY_RUNS'] ?? 200) };

const parse = (text: string) => parseFleet(Buffer.from(text));
const ofLanes = (lanes: object) => parse(fleetText(lanes));

/** The one lane of a file, or what is wrong with it. */
function lane(value: unknown): unknown {
  const { problem, lanes } = ofLanes({ one: value });
  expect(problem).toBe(null);
  const [read] = lanes;
  return read?.problem ?? { implementer: read?.implementer, dials: read?.dials };
}

describe('a file of the format', () => {
  /** A lane of each implementer that the format knows, with dials that its own programs take. */
  const FORMAT: { [key: string]: object } = {
    claude: { model: 'claude-opus-5-5[1m]', effort: 'ultracode', timeout: '1h30m', readOnly: true },
    codex: {
      model: 'gpt-5.5-codex',
      effort: 'xhigh',
      sandbox: 'workspace-write',
      timeout: '45m',
      readOnly: false,
    },
    dsh: { model: 'deepseek-v5' },
    cline: { model: 'x', timeout: '30m' },
    opencode: { model: 'opencode/grok-code', variant: 'high', timeout: '30m', readOnly: true },
    agy: { model: 'gemini-3-pro', effort: 'high', timeout: '30m' },
    grok: { model: 'grok-5', effort: 'high', sandbox: 'workspace', timeout: '2h' },
    kimi: { model: 'kimi-k3', timeout: '30m' },
    qoder: { model: 'auto', permissionMode: 'accept_edits', timeout: '30m' },
    vibe: { timeout: '30m', readOnly: true },
    cursor: { model: 'composer-2[fast=true]', force: true, timeout: '30m' },
    pi: { provider: 'openrouter', model: 'qwen/qwen4', timeout: '30m', readOnly: true },
    omp: { model: 'x', effort: 'high' },
    aider: { model: 'x' },
    copilot: { model: 'gpt-5.5', effort: 'high' },
    warp: { model: 'auto' },
    zcode: { permissionMode: 'plan', readOnly: true, timeout: '30m' },
    commandcode: { model: 'x' },
  };

  it('is read as it is, with every implementer that the format knows', () => {
    expect(Object.keys(FORMAT)).toEqual(IMPLEMENTER_KEYS);
    const lanes = Object.fromEntries(
      Object.entries(FORMAT).map(([implementer, dials]) => [implementer, { implementer, ...dials }]),
    );
    expect(ofLanes(lanes)).toEqual({
      problem: null,
      lanes: Object.entries(FORMAT).map(([name, dials]) => ({
        name,
        problem: null,
        implementer: name,
        dials,
      })),
    });
  });

  it('may have a byte order mark, other fields, and no lanes', () => {
    const text = '\ufeff{"$schema":"./x.json","version":"delegate-fleet.v1","lanes":{},"notes":["n"]}';
    expect(parse(text)).toEqual({ problem: null, lanes: [] });
  });

  it.each([
    ['', 'no strict JSON'],
    ['{', 'no strict JSON'],
    ['{ "version": "delegate-fleet.v1", "lanes": {}, }', 'no strict JSON'],
    ['// mine\n{ "version": "delegate-fleet.v1", "lanes": {} }', 'comments are not allowed'],
    ['{ "version": "delegate-fleet.v1",\n  /* mine */ "lanes": {} }', 'comments are not allowed'],
    ['{ "a": "http://x" ', 'no strict JSON:'],
    ['{ "a": "\\"// "  /* mine */', 'comments are not allowed'],
    ['{ "a', 'no strict JSON:'],
    ['null', 'no JSON object'],
    ['[]', 'no JSON object'],
    ['{}', 'it has no version'],
    ['{ "version": "delegate-fleet.v2", "lanes": {} }', 'its version is "delegate-fleet.v2"'],
    ['{ "version": "delegate-fleet.v1" }', '"lanes" is no object'],
    ['{ "version": "delegate-fleet.v1", "lanes": [] }', '"lanes" is no object'],
    ['{ "__proto__": { "version": "delegate-fleet.v1", "lanes": {} } }', 'it has no version'],
    ['{ "version": "delegate-fleet.v1", "lanes": {}, "lanes": {} }', '"lanes" stands there twice'],
  ])('%j has a problem and no lanes', (text, problem) => {
    const read = parse(text);
    expect(read.lanes).toEqual([]);
    expect(read.problem).toContain(problem);
  });

  it('is UTF-8', () => {
    const bytes = Buffer.concat([
      Buffer.from('{"version":"delegate-fleet.v1","lanes":{},"n":"'),
      Buffer.from([0xff, 0x22, 0x7d]),
    ]);
    expect(parseFleet(bytes)).toEqual({ problem: 'it is not UTF-8', lanes: [] });
  });
});

describe('a lane', () => {
  it.each([
    ['no object', null, 'it is no object'],
    ['a list', [], 'it is no object'],
    ['no implementer', {}, 'it names no implementer: write one of claude, codex, dsh'],
    ['an implementer of no format', { implementer: 'gpt' }, '"gpt" is not known'],
    ['one that every object has', { implementer: 'constructor' }, '"constructor" is not known'],
    ['one that is no text', { implementer: ['claude'] }, 'a list is not known'],
    ['baton’s own player of scripts', { implementer: 'scripted' }, '"scripted" is not known'],
    [
      'a field of nobody',
      { implementer: 'claude', fallbacks: [] },
      '"fallbacks" is no dial: claude has model, effort, timeout, readOnly',
    ],
    [
      'a dial of another',
      { implementer: 'claude', sandbox: 'read-only' },
      '"sandbox" is not supported by claude',
    ],
    [
      'a bypass by its mode',
      { implementer: 'claude', permissionMode: 'bypassPermissions' },
      '"permissionMode" is not supported',
    ],
    ['a bypass by its flag', { implementer: 'claude', dangerouslySkipPermissions: true }, 'is no dial'],
    ['force', { implementer: 'codex', force: true }, 'codex has model, effort, timeout, readOnly, sandbox'],
    ['a model that is a flag', { implementer: 'claude', model: '--dangerously-skip-permissions' }, 'model'],
    ['a model with a space', { implementer: 'codex', model: 'a b' }, 'beginning with a letter or digit'],
    ['an empty model', { implementer: 'codex', model: '' }, 'is no text'],
    ['a number', { implementer: 'codex', model: 5 }, 'model 5 is no text'],
    [
      'a level of nobody',
      { implementer: 'claude', effort: 'extreme' },
      'none of low, medium, high, xhigh, max, ultracode',
    ],
    ['an effort of two words', { implementer: 'codex', effort: 'very high' }, 'a bare word'],
    [
      'a sandbox of nobody',
      { implementer: 'codex', sandbox: 'none' },
      'none of read-only, workspace-write, danger-full-access',
    ],
    ['a switch that is a text', { implementer: 'codex', readOnly: 'yes' }, 'neither true nor false'],
    ['no time', { implementer: 'claude', timeout: '0s' }, 'is zero'],
    ['a bare number of seconds', { implementer: 'claude', timeout: '90' }, 'is not a duration'],
    ['more than a timer holds', { implementer: 'claude', timeout: '596h31m24s' }, 'too long'],
    ['the same of a CLI that baton does not start', { implementer: 'kimi', timeout: '600h' }, 'too long'],
    [
      'read-only and a sandbox that writes',
      { implementer: 'codex', readOnly: true, sandbox: 'workspace-write' },
      'contradict',
    ],
    [
      'read-only and no sandbox',
      { implementer: 'codex', readOnly: true, sandbox: 'danger-full-access' },
      'contradict',
    ],
    [
      'read-only and a mode that writes',
      { implementer: 'qoder', readOnly: true, permissionMode: 'accept_edits' },
      'contradict',
    ],
    ['read-only and force', { implementer: 'cursor', readOnly: true, force: true }, 'contradict'],
  ])('with %s is of no use, and says why', (_, value, problem) => {
    expect(lane(value)).toContain(problem);
  });

  it.each([
    [{ implementer: 'claude' }],
    [{ implementer: 'claude', timeout: '596h31m23s' }],
    [{ implementer: 'codex', readOnly: true, sandbox: 'read-only' }],
    [{ implementer: 'codex', readOnly: false, sandbox: 'danger-full-access' }],
    [{ implementer: 'codex', effort: 'whatever-comes-next' }],
    [{ implementer: 'cursor', readOnly: true, force: false }],
    [{ implementer: 'zcode', readOnly: true, permissionMode: 'plan' }],
  ])('that holds: %j', ({ implementer, ...dials }) => {
    expect(lane({ implementer, ...dials })).toEqual({ implementer, dials });
  });

  it('spoils no other one', () => {
    const { lanes } = ofLanes({
      a: { implementer: 'claude' },
      'not a name': { implementer: 'claude' },
      b: { implementer: 'nobody' },
      c: { implementer: 'codex', effort: 'high' },
    });
    expect(lanes.map(({ name, problem }) => [name, problem === null])).toEqual([
      ['a', true],
      ['not a name', false],
      ['b', false],
      ['c', true],
    ]);
  });

  it('may not say two things: what a person reads first is not what a program takes', () => {
    const text = `{ "version": "delegate-fleet.v1", "lanes": {
      "a": { "implementer": "codex", "readOnly": true, "read\\u004fnly": false },
      "b": { "implementer": "claude" },
      "c": { "implementer": "claude", "model": "x" }, "c": { "implementer": "codex" },
      "d": { "implementer": "claude", "odd": { "x": 1, "x": 2 } }
    } }`;
    expect(parse(text).lanes.map(({ name, problem }) => [name, problem])).toEqual([
      ['a', '"lanes"."a"."readOnly" stands there twice'],
      ['b', null],
      ['c', '"lanes"."c" stands there twice'],
      ['d', '"odd" is no dial: claude has model, effort, timeout, readOnly'],
    ]);
  });

  it('has the dials of its implementer', () => {
    expect(dialsOf('claude')).toEqual(['model', 'effort', 'timeout', 'readOnly']);
    expect(dialsOf('codex')).toEqual(['model', 'effort', 'timeout', 'readOnly', 'sandbox']);
  });
});

describe('whatever stands in a file', () => {
  const key = fc.oneof(
    fc.constantFrom(
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'implementer',
      'lanes',
      'version',
      'fast',
    ),
    fc.constantFrom(...DIAL_NAMES),
    fc.string(),
  );
  const leaf = fc.oneof(
    fc.constantFrom(
      'claude',
      'codex',
      'kimi',
      'danger-full-access',
      'bypassPermissions',
      '30m',
      'delegate-fleet.v1',
    ),
    fc.boolean(),
    fc.constant(null),
    fc.double(),
    fc.string({ unit: 'binary' }),
  );
  /** JSON text with any keys, twice too, and `__proto__` as an own one. */
  const { json } = fc.letrec<{ json: string }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      leaf.map((value) => JSON.stringify(value)),
      fc.array(tie('json'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
      fc
        .array(fc.tuple(key, tie('json')), { maxLength: 6 })
        .map((fields) => `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`),
    ),
  }));
  const wrapped = fc.oneof(
    json,
    json.map((lanes) => `{"version":"delegate-fleet.v1","lanes":${lanes}}`),
    fc
      .array(fc.tuple(key, json), { maxLength: 5 })
      .map(
        (lanes) =>
          `{"version":"delegate-fleet.v1","lanes":{${lanes.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}}`,
      ),
  );

  it('is read without an exception, and gives dials of the table and nothing else', () => {
    fc.assert(
      fc.property(wrapped, (text) => {
        for (const { name, problem, implementer, dials } of parse(text).lanes) {
          expect(typeof name).toBe('string');
          if (problem !== null) continue;
          expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]*$/);
          expect(IMPLEMENTER_KEYS).toContain(implementer);
          expect(dialsOf(implementer)).toEqual(expect.arrayContaining(Object.keys(dials)));
          expect(Object.getPrototypeOf(dials)).toBe(Object.prototype);
        }
        expect(Reflect.ownKeys(Object.prototype)).toEqual(PROTOTYPE);
      }),
      RUNS,
    );
  });

  it('is read without an exception where it is no text at all', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(parseFleet(bytes).lanes).toEqual([]);
      }),
      RUNS,
    );
  });

  it('is read in the end, however deep, wide or odd it is', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    expect(
      parse(
        `{"version":"delegate-fleet.v1","lanes":{"a":{"implementer":${deep}},"b":{"implementer":"claude"}}}`,
      ).lanes,
    ).toMatchObject([
      { name: 'a', problem: expect.stringContaining('a list is not known') },
      { name: 'b', problem: null },
    ]);
    expect(parse(deep).problem).toBe('it is no JSON object');
    expect(parse('\n'.repeat(1_000_000)).problem).toContain('no strict JSON');
    expect(parse(`"${'a'.repeat(1_000_000)}`).problem).toContain('no strict JSON');
    expect(parse('"'.repeat(1_000_001)).problem).toContain('no strict JSON');
    expect(
      parse(`{"version":"delegate-fleet.v1","lanes":{${'"a":1,'.repeat(100_000)}"a":1}}`).lanes,
    ).toHaveLength(1);
    expect(
      parse(`{"version":"delegate-fleet.v1","lanes":{"a":"${'\\u0061'.repeat(160_000)}"}}`).lanes,
    ).toHaveLength(1);
  });
});

const PROTOTYPE = Reflect.ownKeys(Object.prototype);
