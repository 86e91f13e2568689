import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/core/errors.ts';
import { parseScript } from '../../../src/implementers/scripted/script.ts';
import { STEP_KINDS } from '../../../src/implementers/scripted/steps/index.ts';

const STEPS = Object.keys(STEP_KINDS);

describe('a script', () => {
  it('is a list of steps, or a mapping with steps', async () => {
    const list = await parseScript('- say: hello\n- no-result\n');
    const mapping = await parseScript('session: S1\npace: 2s\nsteps:\n  - say: hello\n  - no-result\n');
    expect(list.steps.map(({ label }) => label)).toEqual(['step 1 (say)', 'step 2 (no-result)']);
    expect(mapping.steps.map(({ label }) => label)).toEqual(['step 1 (say)', 'step 2 (no-result)']);
    expect([mapping.session, mapping.pace, mapping.lineEnding, mapping.init]).toEqual([
      'S1',
      2000,
      '\n',
      true,
    ]);
  });

  it('leaves the session record to an init step where it has one', async () => {
    expect((await parseScript('- noise\n- init\n')).init).toBe(false);
    expect((await parseScript('- init: {session_id: S2}\n')).init).toBe(false);
  });

  it.each([
    ['- say: 4', 'step 1 (say): text must be a string (put it in quotes), not 4'],
    [
      '- say: a\n- write: {pth: a}',
      'step 2 (write): unknown key "pth"; allowed keys: path, content, base64, size, outside',
    ],
    ['- write: {path: a}', 'step 1 (write): give exactly one of content, base64, size'],
    ['- write: {path: a, content: x, size: 1KB}', 'give exactly one of content, base64, size'],
    [
      '- write: {path: ../a, content: x}',
      'step 1 (write): path "../a" leaves the working directory: add outside: true',
    ],
    ['- write: {path: a/../../b, content: x}', 'leaves the working directory'],
    ['- read: /etc/hosts', 'leaves the working directory'],
    ['- delete: ""', 'path must be a path'],
    ['- write: {path: a, base64: "!"}', 'base64 is not base64'],
    ['- bytes: {hex: abc}', 'hex is not hex'],
    ['- wrte: x', 'step 1: there is no step "wrte"; steps: say, think'],
    ['- constructor', 'there is no step "constructor"'],
    ['- say: a\n  write: b', 'step 1: must be one step, such as `say: hello` (found say and write'],
    ['- {}', 'step 1: must be one step'],
    ['- 5', 'step 1: must be one step'],
    ['- say', 'step 1 (say): text is missing'],
    ['- no-result: 1', 'step 1 (no-result): takes no value'],
    ['- no-result: {a: 1}', 'unknown key "a"; it takes none'],
    ['- sleep: 5', 'step 1 (sleep): for must be a time such as 50ms, 2s or 1m, not 5'],
    ['- sleep: 99999999m', 'for must be a time'],
    ['- line: 12', 'step 1 (line): size must be a size such as 100B, 64KB or 12MB, not 12'],
    ['- line: 9999999MB', 'size must be a size'],
    ['- chmod: {path: a, mode: 0755}', 'mode must be a string (put it in quotes)'],
    ['- chmod: {path: a, mode: "u+x"}', 'mode must be octal digits in quotes, such as "755", not "u+x"'],
    ['- exit: 256', 'code must be a whole number from 0 to 255, not 256'],
    ['- exit: 1\n- say: x', 'step 1 (exit): ends the play, so the steps after it would never be played'],
    ['- signal: SIGFOO', 'step 1 (signal): name must be one of: SIGKILL, SIGTERM'],
    ['- fail: bogus', 'step 1 (fail): kind must be one of: rate-limit, overloaded'],
    ['- concat: [{a: 1}]', 'records must be a list of two records or more'],
    ['- concat: [1, 2]', 'records must be a list of mappings, not 1'],
    ['- grandchild: {seconds: 601}', 'seconds must be a whole number from 1 to 600, not 601'],
    ['- edit: {path: a, old: "", new: x}', 'old must not be empty'],
    ['- plant-hook: ../x', 'name must be the name of a git hook'],
    ['- record: 5', 'fields must be a mapping, not 5'],
    ['nope: 1', 'script: unknown key "nope"; allowed keys: shape, version'],
    ['steps: 5', 'steps must be a list, not 5'],
    ['shape: gemini\nsteps: []', 'shape must be one of: claude, codex; not "gemini"'],
    ['session: "a b"\nsteps: []', 'session must be letters, digits and . _ : -'],
    ['version: {hang: 1}\nsteps: []', 'version: hang must be true or false, not 1'],
    ['on-resume: [{say: 1}]', 'on-resume step 1 (say): text must be a string'],
    ['hello', 'a script is a list of steps, or a mapping with `steps:`'],
    ['', 'a script is a list of steps'],
    ['[1', 'not valid YAML'],
    ['- *nowhere', 'not valid YAML'],
    ['a: 1\na: 2', 'not valid YAML'],
  ])('refuses %j and says why', async (yaml, why) => {
    await expect(parseScript(yaml)).rejects.toThrow(UsageError);
    await expect(parseScript(yaml)).rejects.toThrow(why);
  });

  it('takes a path outside only where the step says so', async () => {
    const script = await parseScript(
      '- write: {path: ../a, content: x, outside: true}\n- read: {path: /a, outside: true}',
    );
    expect(script.steps).toHaveLength(2);
  });

  it('is refused with a usage error or taken, whatever it is', async () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const fields = fc.dictionary(
      fc.constantFrom(
        'text',
        'path',
        'content',
        'size',
        'kind',
        'every',
        'records',
        'outside',
        'seconds',
        'name',
      ),
      fc.oneof(value, fc.constantFrom('5ms', '1KB', 'a.txt', '../b', 'stdout', 'rate-limit')),
    );
    const step = fc.oneof(
      fc.constantFrom(...STEPS),
      fc
        .tuple(fc.constantFrom(...STEPS), fc.oneof(value, fields))
        .map(([name, given]) => ({ [name]: given })),
      value,
    );
    const script = fc.oneof(fc.array(step), fc.record({ steps: fc.array(step), init: fc.boolean() }), value);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          script.map((one) => JSON.stringify(one)),
          fc.string(),
        ),
        async (text) => {
          const taken = await parseScript(text).catch((error: unknown) => error);
          expect(taken instanceof Error ? taken : null).toSatisfy(
            (error) => error === null || error instanceof UsageError,
          );
        },
      ),
      { numRuns: 400 },
    );
  });
});
