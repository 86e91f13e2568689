import { Command } from '@commander-js/extra-typings';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cursorIn } from '../../src/commands/completion-line.ts';
import { values } from '../../src/commands/flags.ts';
import { typedWord } from '../../src/commands/typed-word.ts';
import { shellWord } from '../../src/core/shell-word.ts';

const RUNS = Number(process.env['BATON_PROPERTY_RUNS'] ?? 300);

function example() {
  const top = new Command('lanes');
  top
    .command('set')
    .argument('<lane>')
    .argument('[dials...]')
    .option('-m, --model <name>')
    .option('--html [file]')
    .option('--file <path...>')
    .option('--touch <glob>', 'repeatable', values)
    .option('--yes');
  return top;
}

/** What is expected at the cursor, in short. */
function expected(...words: string[]): string {
  const { expected: one, begun } = cursorIn(example(), words.slice(0, -1), words.at(-1) ?? '');
  if (one.type === 'value') return `${one.flag ?? ''}<${one.placeholder}> ${begun}`.trim();
  if (one.type === 'flags') return one.flags.map(({ name }) => name).join(' ');
  return one.type;
}

describe('the cursor', () => {
  it.each([
    [[''], 'commands'],
    [['--'], '--help'],
    [['set', ''], '<lane>'],
    [['help', ''], 'commands'],
    [['help', 'set', ''], '<lane>'],
    [['set', 'help', ''], '<dials>'],
    [['set', 'x', 'ef'], '<dials> ef'],
    [['set', 'x', 'effort', 'mo'], '<dials> mo'],
    [['set', '--model', ''], '--model<name>'],
    [['set', '--model', '-'], '--model<name> -'],
    [['set', '-m', 'a', 'x'], '<lane> x'],
    [['set', '--model=a=b'], '--model<name> a=b'],
    [['set', '--yes=x'], 'nothing'],
    [['set', '--no-such', ''], '<lane>'],
    [['set', '--html', 'a'], '--html<file> a'],
    [['set', '--html', '--y'], '--model --file --touch --yes --help'],
    [['set', '--file', 'a', 'b', 'c'], '--file<path> c'],
    [['set', '--file', 'a', '--yes', ''], '<lane>'],
    [['set', '--yes', '--touch', 'a', '-'], '--model --html --file --touch --help'],
    [['set', '--', '-x'], '<lane> -x'],
    [['set', '--', 'set', '--', '-'], '<dials> -'],
  ])('%j: %s', (words, what) => {
    expect(expected(...words)).toBe(what);
  });

  it('knows what was given', () => {
    const { given, path } = cursorIn(
      example(),
      ['set', '-m', 'a', '--yes', '--html=b=c', '--file', 'd', 'e'],
      '',
    );
    expect(path).toEqual(['lanes', 'set']);
    expect([...given]).toEqual([
      ['--model', 'a'],
      ['--yes', ''],
      ['--html', 'b=c'],
      ['--file', 'e'],
    ]);
  });

  it('is somewhere, whatever was typed', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom('set', '--', '-', '--model', '--file=', '__proto__', ''),
    );
    fc.assert(
      fc.property(fc.array(word), word, (words, current) => {
        expect(current.endsWith(cursorIn(example(), words, current).begun)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('a word as it was typed', () => {
  it.each([
    ['plain', 'plain'],
    ['a\\ b', 'a b'],
    [`'a b'"c d"e`, 'a bc de'],
    ['"a\\"b\\n$HOME', 'a"b\\n$HOME'],
    ["'open", 'open'],
    ['$(touch x)', '$(touch x)'],
    ['end\\', 'end\\'],
  ])('%s is %s', (typed, text) => {
    expect(typedWord(typed)).toBe(text);
  });

  it('is what a shell would make of it', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(typedWord(shellWord(text))).toBe(text);
      }),
      { numRuns: RUNS },
    );
  });
});
