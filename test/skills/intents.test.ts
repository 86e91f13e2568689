import { describe, expect, it } from 'vitest';
import { testIntents } from '../../src/skills/intents.ts';

/** A test shares its process with others' work, which counts as its own. */
const GENEROUS = { pattern: 10, total: 40_000, wall: 40_000 };
const NEVER_ENDS = ['^(\\w+\\s?)+$', '(x+x+)+y', '(?=(a+)+b)c'];
const LONG = `${'a'.repeat(60)} ${'x'.repeat(60)}!`;

describe('intent patterns', () => {
  it.each([
    ['(add|create).*endpoint', 'Create a new ENDPOINT', true],
    ['^deploy', 'please deploy', false],
    ['\\-\\d', 'from -1', true],
    ['\\p{Lu}x', 'Éx', true],
    ['[😀]', '😀', true],
  ])('%j on %j: %s', (pattern, text, expected) => {
    expect(testIntents([pattern], text, GENEROUS)).toEqual([expected]);
  });

  it('that are wrong are reported, each for itself', () => {
    expect(testIntents(['a', '(', 'b'], 'a', GENEROUS)).toEqual([
      true,
      { problem: expect.any(String) },
      false,
    ]);
  });

  it.each(NEVER_ENDS)('like %s are stopped, and cost the others nothing', (slow) => {
    expect(testIntents(['x', slow, 'none', 'a'], LONG, GENEROUS)).toEqual([
      true,
      { problem: 'it takes too long' },
      false,
      true,
    ]);
  });

  it('end in a bounded time when none of them ever ends', () => {
    const answers = testIntents(
      Array.from({ length: 100 }, (_, index) => `(x+x+)+y${index}`),
      LONG,
    );
    expect(answers).toHaveLength(100);
    expect(answers.at(-1)).toEqual({ problem: 'not tested: other patterns took all the time' });
  });

  it('are many, and all tested', () => {
    const patterns = Array.from({ length: 2000 }, (_, index) => `(?:add|fix).*?area ${index}$`);
    const answers = testIntents(patterns, 'fix the area 1234', GENEROUS);
    expect(answers.flatMap((answer, index) => (answer === false ? [] : [index]))).toEqual([1234]);
  });
});
