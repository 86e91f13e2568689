import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ownerOf, printOf, withMark, withoutMark } from '../../src/publishing/ownership.ts';

const RUNS = { numRuns: Number(process.env['BATON_PROPERTY_RUNS'] ?? 200) };

/** Lines of all kinds, marks among them. */
const text = fc
  .array(fc.oneof(fc.string(), fc.constantFrom('---', '', '\r', withMark('x').trim())))
  .map((lines) => lines.join('\n'))
  .map(withoutMark);

describe('a mark', () => {
  it('tells the very text that was marked, however its lines end, and no other', () => {
    fc.assert(
      fc.property(text, fc.string({ minLength: 1 }), (body, more) => {
        const marked = withMark(body);
        expect(ownerOf(Buffer.from(marked), [])).toBe('baton');
        expect(ownerOf(Buffer.from(marked.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n')), [])).toBe(
          'baton',
        );
        expect(ownerOf(Buffer.from(more + marked), [])).toBe('edited');
      }),
      RUNS,
    );
  });

  it('is taken away with nothing else', () => {
    fc.assert(
      fc.property(text, (body) => {
        expect(withoutMark(withMark(body))).toBe(body.endsWith('\n') ? body : `${body}\n`);
      }),
      RUNS,
    );
  });

  it('is not needed where it is recorded what was published', () => {
    expect(ownerOf(Buffer.from('a\r\n'), [printOf('b'), printOf('a\n')])).toBe('baton');
    expect(ownerOf(Buffer.from('c'), [printOf('b')])).toBe('edited');
    expect(ownerOf(Buffer.from('c'), [])).toBe('person');
  });
});
