import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setLane, unsetLane } from '../../src/lanes/edit.ts';
import { parseFleet } from '../../src/lanes/fleet-file.ts';
import type { Binding, Dials } from '../../src/lanes/lane.ts';

const RUNS = { numRuns: Number(process.env['BATON_PROPERTY_RUNS'] ?? 150) };

const claude = (dials: Dials = {}): Binding => ({ implementer: 'claude', dials });

/** A file as a person wrote it: their order, their fields, a lane on one line. */
const FILE = `{
    "$schema": "https://example.org/fleet.json",
    "lanes": {
        "hard": {
            "timeout": "2h",
            "model": "gpt-5.5-codex",
            "implementer": "codex"
        },
        "ui": { "implementer": "opencode", "model": "a\\u002fb" }
    },
    "version": "delegate-fleet.v1",
    "weights": [1.0, 2e3, 12345678901234567890]
}
`;

describe('a lane is set', () => {
  it('in a file that is made for it', () => {
    expect(setLane(null, 'fast', claude({ effort: 'low', model: 'haiku' }))).toBe(`{
  "version": "delegate-fleet.v1",
  "lanes": {
    "fast": {
      "implementer": "claude",
      "model": "haiku",
      "effort": "low"
    }
  }
}
`);
  });

  it('behind the others, in the manner of the last one', () => {
    expect(setLane(FILE, 'fast', claude({ model: 'haiku', readOnly: true }))).toBe(
      FILE.replace(
        'a\\u002fb" }',
        'a\\u002fb" },\n        "fast": { "implementer": "claude", "model": "haiku", "readOnly": true }',
      ),
    );
  });

  it('where it stands, field by field', () => {
    const edited = setLane(FILE, 'hard', {
      implementer: 'codex',
      dials: { model: 'gpt-6', effort: 'high', timeout: '2h' },
    });
    expect(edited).toBe(
      FILE.replace('gpt-5.5-codex', 'gpt-6').replace('"codex"\n', '"codex",\n            "effort": "high"\n'),
    );
    expect(setLane(FILE, 'hard', { implementer: 'codex', dials: { timeout: '2h' } })).toBe(
      FILE.replace('            "model": "gpt-5.5-codex",\n', ''),
    );
    expect(setLane(FILE, 'hard', claude({ model: 'opus' }))).toBe(
      FILE.replace('            "timeout": "2h",\n', '')
        .replace('gpt-5.5-codex', 'opus')
        .replace('"codex"', '"claude"'),
    );
  });

  it('over what is no lane at all', () => {
    expect(setLane('{"version":"delegate-fleet.v1","lanes":{"fast":7}}', 'fast', claude())).toBe(
      '{"version":"delegate-fleet.v1","lanes":{ "fast": { "implementer": "claude" } }}',
    );
  });

  it.each([
    [
      'on one line',
      '{"version":"delegate-fleet.v1","lanes":{"a":{"implementer":"claude"}}}',
      '{"version":"delegate-fleet.v1","lanes":{"a":{"implementer":"claude"}, "b": { "implementer": "claude" }}}',
    ],
    [
      'without a lane yet',
      '{ "version": "delegate-fleet.v1", "lanes": {} }',
      '{ "version": "delegate-fleet.v1", "lanes": { "b": { "implementer": "claude" } } }',
    ],
    [
      'with tabs',
      '{\n\t"version": "delegate-fleet.v1",\n\t"lanes": {}\n}',
      '{\n\t"version": "delegate-fleet.v1",\n\t"lanes": {\n\t\t"b": {\n\t\t\t"implementer": "claude"\n\t\t}\n\t}\n}',
    ],
    [
      'of Windows',
      '{\r\n  "version": "delegate-fleet.v1",\r\n  "lanes": {}\r\n}\r\n',
      '{\r\n  "version": "delegate-fleet.v1",\r\n  "lanes": {\r\n    "b": {\r\n      "implementer": "claude"\r\n    }\r\n  }\r\n}\r\n',
    ],
    [
      'with a byte order mark',
      '\ufeff{"version":"delegate-fleet.v1","lanes":{}}',
      '\ufeff{"version":"delegate-fleet.v1","lanes":{ "b": { "implementer": "claude" } }}',
    ],
    [
      'that is not indented',
      '{\n"version": "delegate-fleet.v1",\n"lanes": {\n"a": {\n"implementer": "codex"\n}\n}\n}',
      '{\n"version": "delegate-fleet.v1",\n"lanes": {\n"a": {\n"implementer": "codex"\n},\n"b": {\n  "implementer": "claude"\n}\n}\n}',
    ],
  ])('in a file %s', (_, before, after) => {
    expect(setLane(before, 'b', claude())).toBe(after);
  });

  it('as it is, where nothing changes', () => {
    expect(
      setLane(FILE, 'hard', { implementer: 'codex', dials: { timeout: '2h', model: 'gpt-5.5-codex' } }),
    ).toBe(FILE);
  });
});

describe('a lane is taken out', () => {
  it('whole', () => {
    const without = unsetLane(FILE, 'ui');
    expect(without).toBe(FILE.replace(/,\n {8}"ui": \{.*\}/, ''));
    expect(unsetLane(without, 'hard')).toContain('"lanes": {},');
    expect(unsetLane(FILE, 'hard')).toBe(FILE.replace(/"hard": \{[^}]*\},\n {8}/, ''));
  });

  it('in part, also what is no dial', () => {
    expect(unsetLane(FILE, 'hard', ['timeout', 'model'])).toBe(FILE.replace(/"timeout"[^}]*"imp/, '"imp'));
    const odd =
      '{"version":"delegate-fleet.v1","lanes":{"a":{"implementer":"claude","fallbacks":[{"x":1}],"model":"m"}}}';
    expect(unsetLane(odd, 'a', ['fallbacks'])).toBe(odd.replace('"fallbacks":[{"x":1}],', ''));
  });

  it.each([
    [() => unsetLane(FILE, 'none'), 'there is no lane "none"'],
    [() => unsetLane(FILE, 'toString'), 'there is no lane "toString"'],
    [() => unsetLane(FILE, 'hard', ['effort']), 'the lane "hard" has no "effort"'],
    [() => unsetLane(FILE, 'hard', ['constructor']), 'has no "constructor"'],
  ])('only where it is', (edit, message) => {
    expect(edit).toThrow(message);
  });
});

describe('what is refused leaves the file alone', () => {
  const twice =
    '{"version":"delegate-fleet.v1","lanes":{"a":{"implementer":"claude"},"a":{"implementer":"codex"}}}';
  it.each([
    ['a name that is none', () => setLane(FILE, '__proto__', claude()), 'is not the name of a lane'],
    ['a name of two words', () => setLane(FILE, 'a b', claude()), 'is not the name of a lane'],
    [
      'a dial of another',
      () => setLane(FILE, 'a', claude({ sandbox: 'read-only' })),
      'is not supported by claude',
    ],
    ['nobody', () => setLane(FILE, 'a', { implementer: 'gpt', dials: {} }), '"gpt" is not known'],
    ['comments', () => setLane(`// mine\n${FILE}`, 'a', claude()), 'comments are not allowed'],
    ['another version', () => setLane('{"version":"v2","lanes":{}}', 'a', claude()), 'its version is "v2"'],
    ['an empty file', () => setLane('', 'a', claude()), 'no strict JSON'],
    ['what stands there twice', () => setLane(twice, 'a', claude()), '"lanes"."a" stands twice'],
    [
      'a lane with more in it',
      () =>
        setLane(
          '{"version":"delegate-fleet.v1","lanes":{"a":{"implementer":"claude","x":1}}}',
          'a',
          claude(),
        ),
      'has more in the file than baton knows: "x" is no dial',
    ],
    [
      'what has no end',
      () =>
        setLane(
          `{"version":"delegate-fleet.v1","lanes":{},"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
          'a',
          claude(),
        ),
      'nested too deeply',
    ],
  ])('%s', (_, edit, message) => {
    expect(edit).toThrow(message);
  });

  it('but a lane that stands there twice is no reason not to set another', () => {
    expect(parseFleet(Buffer.from(setLane(twice, 'b', claude()))).lanes.at(-1)).toMatchObject({
      name: 'b',
      problem: null,
    });
  });
});

/** As it comes back from a file: a text has no -0. */
function written(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe('any file', () => {
  const name = fc.constantFrom('fast', 'hard', 'constructor', 'toString', 'a.b');
  const dials = fc.record(
    {
      model: fc.constantFrom('opus', 'a/b:c[1m]'),
      effort: fc.constantFrom('low', 'max'),
      timeout: fc.constantFrom('5m', '1h'),
      readOnly: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  const lane = dials.map((some) => ({ implementer: 'claude', ...some }));
  const more = fc.dictionary(
    fc.constantFrom('notes', '$schema', 'ä', 'x"y'),
    fc.jsonValue({ maxDepth: 2 }).map(written),
  );
  const layout = fc.record({
    indent: fc.constantFrom('', ' ', '  ', '    ', '\t'),
    eol: fc.constantFrom('\n', '\r\n'),
    mark: fc.boolean(),
  });
  const file = fc
    .tuple(fc.dictionary(name, lane), more, layout)
    .map(([lanes, rest, { indent, eol, mark }]) => {
      const text = JSON.stringify({ ...rest, version: 'delegate-fleet.v1', lanes }, null, indent).replaceAll(
        '\n',
        eol,
      );
      return { text: (mark ? '\ufeff' : '') + text, lanes, rest };
    });
  const json = (text: string): unknown => JSON.parse(text.replace(/^\ufeff/, ''));

  it('has the lane afterwards, all else as before, and the same line ends', () => {
    fc.assert(
      fc.property(file, name, dials, ({ text, lanes, rest }, which, some) => {
        const edited = setLane(text, which, claude(some));
        expect(json(edited)).toEqual({
          ...rest,
          version: 'delegate-fleet.v1',
          lanes: { ...lanes, [which]: { implementer: 'claude', ...some } },
        });
        expect(edited.startsWith('\ufeff')).toBe(text.startsWith('\ufeff'));
        expect(edited.includes('\r')).toBe(text.includes('\r'));
        expect(/[^\r]\n/.test(edited)).toBe(/[^\r]\n/.test(text));
        expect(setLane(edited, which, claude(some))).toBe(edited);
      }),
      RUNS,
    );
  });

  it('is as it was, byte for byte, once a lane that is new is taken out again', () => {
    fc.assert(
      fc.property(file, dials, ({ text, lanes }, some) => {
        fc.pre(Object.keys(lanes).length > 0);
        expect(unsetLane(setLane(text, 'new', claude(some)), 'new')).toBe(text);
      }),
      RUNS,
    );
  });
});
