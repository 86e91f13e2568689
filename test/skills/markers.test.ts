import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateDomainPatterns } from '../../src/skills/bash-patterns.ts';
import { replaceBetweenMarkers } from '../../src/skills/markers.ts';
import { rulesOf } from './rules-support.ts';

const BLOCK = generateDomainPatterns(rulesOf({ a: { filePatterns: ['a/**'] } }));
const [BEGIN, END] = ['# BEGIN detect_skill_domain', '# END detect_skill_domain'];

describe('what is between the markers', () => {
  it('is replaced, and nothing else', () => {
    expect(replaceBetweenMarkers(`head\n  ${BEGIN} \r\nold\n$&\n\t${END}`, BLOCK)).toBe(
      `head\n  ${BEGIN} \r\n${BLOCK.slice(BEGIN.length + 1, -END.length - 1)}\t${END}`,
    );
  });

  it('may be the whole text, or nothing', () => {
    expect(replaceBetweenMarkers(BLOCK, BLOCK)).toBe(BLOCK);
    expect(replaceBetweenMarkers(`${BEGIN}\n${END}\n`, BLOCK)).toBe(BLOCK);
  });

  it('keeps all around it, byte for byte, and is the same the second time', () => {
    const text = fc.string({ unit: 'binary' }).map((around) => around.replace(/# (?:BEGIN|END)/g, ''));
    fc.assert(
      fc.property(text, text, text, (before, old, after) => {
        const made = replaceBetweenMarkers(`${before}\n${BEGIN}\n${old}\n${END}\n${after}`, BLOCK);
        expect(made).toBe(`${before}\n${BLOCK}${after}`);
        expect(replaceBetweenMarkers(made, BLOCK)).toBe(made);
      }),
    );
  });

  it.each([
    ['', 'no line'],
    [`${BEGIN}\n`, 'no line'],
    [`${END}\n`, 'no line'],
    [`echo ${BEGIN}\n${END}\n`, 'no line'],
    [`${BEGIN}x\n${END}\n`, 'no line'],
    [`${BEGIN}\n${BEGIN}\n${END}\n`, '2 times'],
    [`${BEGIN}\n${END}\n${END}`, '2 times'],
    [`${END}\n${BEGIN}\n`, 'before'],
  ])('is refused in %j', (text, message) => {
    expect(() => replaceBetweenMarkers(text, BLOCK)).toThrow(message);
  });
});
