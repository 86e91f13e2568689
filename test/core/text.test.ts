import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { lastLines, oneLine, truncate } from '../../src/core/text.ts';

describe('truncate', () => {
  it('never splits a surrogate pair, never exceeds the limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, max) => {
        const cut = truncate(text, max);
        expect(cut.length).toBeLessThanOrEqual(max);
        expect(cut.isWellFormed()).toBe(cut === text ? text.isWellFormed() : true);
        expect(text.startsWith(cut === text ? cut : cut.slice(0, -1))).toBe(true);
      }),
    );
  });
});

describe('oneLine', () => {
  it('leaves nothing that could drive a terminal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        // oxlint-disable-next-line no-control-regex
        expect(oneLine(`\u001b[31m${text}\u001b]0;x\u0007\n`)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      }),
    );
  });

  it('joins lines', () => {
    expect(oneLine('a\r\n  b\t c\n')).toBe('a b c');
  });
});

describe('lastLines', () => {
  it('counts lines that are not blank', () => {
    expect(lastLines('a\n\n \nb\r\nc\n', 2)).toEqual(['b', 'c']);
  });
});
