import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/core/errors.ts';
import { ScriptPlayer } from '../../src/scripted-model/player.ts';
import { checkModelScript, parseModelScript, readModelScript } from '../../src/scripted-model/script.ts';

const USAGE = { input: 100, output: 20, cached: 0 };

describe('a script', () => {
  test('with every step', async () => {
    const steps = await parseModelScript(`
- say: Looking.
- wait: 50ms
- wait: 2s
- turn:
    - say: Writing.
    - write: { path: a.txt, content: "hi\\n" }
    - edit: { path: a.txt, old: hi, new: ho }
    - read: a.txt
    - bash: ls
    - tool: { name: Grep, input: { pattern: x } }
  usage: { input: 7 }
- error: { status: 429, message: slow down, times: 2 }
- hang-up: { say: Half, times: 1 }
- error: 529
`);
    expect(steps).toEqual([
      { kind: 'turn', actions: [{ kind: 'say', text: 'Looking.' }], usage: USAGE, delayMs: 0 },
      {
        kind: 'turn',
        actions: [
          { kind: 'say', text: 'Writing.' },
          { kind: 'write', path: 'a.txt', content: 'hi\n' },
          { kind: 'edit', path: 'a.txt', old: 'hi', new: 'ho' },
          { kind: 'read', path: 'a.txt' },
          { kind: 'bash', command: 'ls' },
          { kind: 'tool', name: 'Grep', input: { pattern: 'x' } },
        ],
        usage: { ...USAGE, input: 7 },
        delayMs: 2050,
      },
      { kind: 'error', status: 429, type: 'rate_limit_error', message: 'slow down', times: 2, delayMs: 0 },
      { kind: 'hang-up', text: 'Half', times: 1, delayMs: 0 },
      {
        kind: 'error',
        status: 529,
        type: 'overloaded_error',
        message: 'overloaded_error',
        times: Infinity,
        delayMs: 0,
      },
    ]);
  });

  test('is JSON as well', async () => {
    expect(await parseModelScript('[{"bash":"ls"}]')).toMatchObject([
      { actions: [{ kind: 'bash', command: 'ls' }] },
    ]);
  });

  test.each([
    ['', 'a script is a list of steps'],
    ['say: x', 'a script is a list of steps'],
    ['- say: [', 'neither YAML nor JSON'],
    ['- hello', 'step 1: must be a mapping'],
    ['- say: x\n- shout: y', 'step 2: unknown field "shout"'],
    ['- say: x\n  bash: y', 'step 1: give exactly one of'],
    ['- usage: { input: 1 }', 'step 1: give exactly one of'],
    ['- say: 1.10', 'step 1 (say): text must be a string (put it in quotes), not 1.1'],
    ['- write: { path: a }', 'step 1 (write): content is missing'],
    ['- write: { path: a, content: b, mode: 7 }', 'step 1 (write): unknown field "mode"'],
    ['- tool: { name: X, input: 3 }', 'step 1 (tool): input must be a mapping, not 3'],
    ['- turn: x', 'step 1 (turn): must be a list of actions'],
    ['- turn: [{ say: x }, { error: 429 }]', 'step 1 (turn), action 2: unknown field "error"'],
    ['- error: 200', 'step 1 (error): status must be a whole number from 400 to 599, not 200'],
    ['- error: { status: 429, times: 0 }', 'step 1 (error): times must be a whole number'],
    ['- error: 429\n- say: x', 'step 2: never reached, since step 1 (error) has no times'],
    [
      '- error: 429\n  usage: { input: 1 }',
      'step 1 (error): usage belongs to a step in which the model answers',
    ],
    ['- say: x\n  usage: { input: -1 }', 'step 1 (usage): input must be a whole number'],
    ['- wait: 5', 'step 1 (wait): must be a time'],
    ['- wait: 5h', 'step 1 (wait): must be a time'],
    ['- wait: 61m', 'step 1 (wait): must be a time'],
    ['- say: x\n- wait: 1s', 'the last step is a wait'],
  ])('%j is refused', async (text, message) => {
    const failure = parseModelScript(text);
    await expect(failure).rejects.toThrow(UsageError);
    await expect(failure).rejects.toThrow(message);
  });

  test('no value makes the check fail in another way', () => {
    const word = fc.constantFrom(
      'say',
      'bash',
      'write',
      'turn',
      'error',
      'hang-up',
      'wait',
      'usage',
      'tool',
      'times',
    );
    const entry = fc.dictionary(word, fc.oneof(fc.jsonValue(), fc.dictionary(word, fc.jsonValue())), {
      maxKeys: 2,
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 4 }), (script) => {
        expect(outcomeOf(script)).toMatch(/^(script|UsageError)$/);
      }),
      { numRuns: 500 },
    );
  });

  test('from a file: mistakes name it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'baton-test-'));
    const path = join(folder, 'script.yaml');
    writeFileSync(path, '- shout: x\n');
    await expect(readModelScript(path)).rejects.toThrow(`${path}: step 1: unknown field`);
    await expect(readModelScript(join(folder, 'none.yaml'))).rejects.toThrow('cannot be read');
    rmSync(folder, { recursive: true });
  });
});

describe('the player', () => {
  test('repeats a step as often as it says, then ends in words', () => {
    const player = new ScriptPlayer(
      checkModelScript([{ error: { status: 429, times: 2 } }, { say: 'x' }, { 'hang-up': { times: 1 } }]),
    );
    expect(player.left).toBe(3);
    expect([1, 2, 3, 4].map(() => player.next().index)).toEqual([0, 0, 1, 2]);
    expect(player.left).toBe(0);
    expect(player.next()).toMatchObject({
      index: null,
      step: { actions: [{ text: 'The script has no step left.' }] },
    });
  });

  test('a step without times is never used up, and counts as played', () => {
    const player = new ScriptPlayer(checkModelScript([{ error: 500 }]));
    expect(player.left).toBe(1);
    expect([1, 2, 3].map(() => player.next().index)).toEqual([0, 0, 0]);
    expect(player.left).toBe(0);
  });
});

function outcomeOf(script: unknown): string {
  try {
    checkModelScript(script);
    return 'script';
  } catch (error) {
    return error instanceof UsageError ? 'UsageError' : String(error);
  }
}
