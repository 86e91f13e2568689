import fc from 'fast-check';

/** A line of an answer, and the file that it was meant for. */
interface Line {
  text: string;
  /** The number of the file that it is text of, or null. */
  of: number | null;
}

/** An answer, and what its files were meant to hold. */
export interface Answer {
  text: string;
  /** By path. */
  meant: Map<string, string>;
}

const PATHS = [
  'CLAUDE.md',
  'AGENTS.md',
  'src/billing/AGENTS.md',
  '.claude/skills/billing/SKILL.md',
  '.agents/skills/billing/SKILL.md',
  '.claude/skills/base/references/notes.md',
];

const prose = fc.constantFrom(
  '# Title',
  'Text.',
  '- a point',
  '',
  '    indented',
  'ends with `</file>` in it',
  'ü🧩',
);
const code = fc.constantFrom('const a = 1;', '', '``', '<div>', '```js', 'x');
/** What a code block may show of the tags: pairs, or closers alone. */
function tags(path: string): fc.Arbitrary<string[]> {
  return fc.constantFrom(
    [],
    ['</file>'],
    [`<file path="${path}">`, 'shown', '</file>'],
    [`<file path="${path}">`, '<file path=b>', '</file>', '</file>', '</file>'],
  );
}

/** Lines with code blocks. At most one of them shows tags: an answer with two such and a fault can be a riddle. */
function body(shownPath: string): fc.Arbitrary<string[]> {
  const before = fc.array(code, { maxLength: 2 });
  const codeBlock = fc
    // Longer than any fence that it may hold, as Markdown wants it.
    .tuple(fc.constantFrom('````', '~~~', '`````', '  ````'), before)
    .map(([sign, lines]) => [`${sign}md`, ...lines, sign]);
  const some = fc
    .array(fc.oneof({ weight: 3, arbitrary: prose.map((line) => [line]) }, codeBlock), { maxLength: 3 })
    .map((parts) => parts.flat());
  const showing = fc
    .tuple(codeBlock, tags(shownPath))
    .map(([block, shown]) => [...block.slice(0, 1), ...shown, ...block.slice(1)]);
  return fc
    .tuple(some, fc.option(showing), some)
    .map(([first, block, last]) => ['text', ...first, ...(block ?? []), ...last]);
}

/** Spoils an answer in one place. `at` is any number. */
type Fault = (lines: Line[], at: number) => void;

/** The places of tags that are meant as tags. */
function tagsAt(lines: readonly Line[], start: string): number[] {
  return lines.flatMap(({ text, of }, at) => (of === null && text.trimStart().startsWith(start) ? [at] : []));
}

function pick(places: readonly number[], at: number): number | undefined {
  return places[at % Math.max(1, places.length)];
}

const dropTag =
  (start: string): Fault =>
  (lines, at) => {
    const place = pick(tagsAt(lines, start), at);
    if (place !== undefined) lines.splice(place, 1);
  };

const changeOpener =
  (change: (text: string) => string): Fault =>
  (lines, at) => {
    const place = pick(tagsAt(lines, '<file'), at);
    const line = lines[place ?? -1];
    if (line) line.text = change(line.text);
  };

/** A line that does not belong there; within a file it is taken for text of that file. */
const insert =
  (text: string): Fault =>
  (lines, at) => {
    const place = at % (lines.length + 1);
    const [before, after] = [lines[place - 1], lines[place]];
    const within = before && after && (before.of ?? after.of);
    lines.splice(place, 0, { text, of: within ?? null });
  };

const dropFence: Fault = (lines, at) => {
  const fences = lines.flatMap(({ text, of }, place) =>
    of !== null && /^\s*[`~]{3}/.test(text) ? [place] : [],
  );
  const place = pick(fences, at);
  if (place !== undefined) lines.splice(place, 1);
};

/** Puts a file into the text of the one before it. */
const nest: Fault = (lines, at) => {
  const closer = pick(tagsAt(lines, '</file>').slice(0, -1), at);
  if (closer === undefined) return;
  const next = lines.findIndex(
    (line, place) => place > closer && line.of === null && line.text.startsWith('</file>'),
  );
  const [line] = lines.splice(closer, 1);
  if (line) lines.splice(next, 0, line);
};

const cut: Fault = (lines, at) => {
  const gone = new Set(lines.splice(at % (lines.length + 1)).map(({ of }) => of));
  // What is left of a file is not that file.
  for (const line of lines) if (line.of !== null && gone.has(line.of)) line.text += CUT;
};

/** In the text that was meant, not in the answer. */
const CUT = '(and more that is missing)';

/** Tags that are gone, or one too many: two of them can take each other's traces away, so that no reader could tell. */
const OF_TAGS: { [name: string]: Fault } = {
  'no closer': dropTag('</file>'),
  'no opener': dropTag('<file'),
  'a second closer': insert('</file>'),
  'an indented closer': insert('\t  </file>'),
  'a lone opener that is none': insert('<files>'),
  'a file within a file': nest,
  'a cut': cut,
};

const OF_FENCES: { [name: string]: Fault } = {
  'a fence': insert('```'),
  'a fence with a language': insert('~~~~js'),
  'no fence': dropFence,
};

const OF_OPENERS: { [name: string]: Fault } = {
  'an opener without quotes': changeOpener((text) => text.replaceAll('"', '')),
  'an opener without a path': changeOpener(() => '<file name="x">'),
  'an opener in capitals': changeOpener((text) => text.replace('<file', '<FILE')),
  'an opener far to the right': changeOpener((text) => `      ${text}`),
  'text behind an opener': changeOpener((text) => `${text} # Title`),
  'a path that leads out': changeOpener((text) => text.replace('path="', 'path="../')),
};

const FAULTS = { ...OF_TAGS, ...OF_FENCES, ...OF_OPENERS };

/** How many faults of each kind an answer has. */
export interface FaultCount {
  /** The path in what the files show of the tags. Default: one that may be written. */
  shownPath?: string;
  tags?: number;
  fences?: number;
  openers?: number;
  any?: number;
}

function faultsOf(count: FaultCount): fc.Arbitrary<[name: string, at: number][]> {
  const some = (kind: { [name: string]: Fault }, times = 0) =>
    fc.array(fc.tuple(fc.constantFrom(...Object.keys(kind)), fc.nat()), {
      minLength: times,
      maxLength: times,
    });
  return fc
    .tuple(
      some(OF_OPENERS, count.openers),
      some(OF_FENCES, count.fences),
      some(FAULTS, count.any),
      some(OF_TAGS, count.tags),
    )
    .map((all) => all.flat());
}

/** Answers with faults, in any of the clothes that agents dress them in. */
export function answers(count: FaultCount): fc.Arbitrary<Answer> {
  return fc
    .record({
      files: fc.uniqueArray(
        fc.record({ path: fc.constantFrom(...PATHS), body: body(count.shownPath ?? 'CLAUDE.md') }),
        {
          maxLength: 4,
          selector: (one) => one.path,
        },
      ),
      indent: fc.constantFrom('', '', ' ', '   '),
      dressed: fc.constantFrom('none', 'preamble', 'one fence', 'preamble and one fence', 'a fence each'),
      faults: faultsOf(count),
      eol: fc.constantFrom('\n', '\r\n'),
    })
    .map(({ files, indent, dressed, faults, eol }) => {
      // A fence of its own around a file that lies in another: that is how Markdown shows a file.
      const nested = faults.some(([name]) => name === 'a file within a file');
      const clothes = nested && dressed === 'a fence each' ? 'none' : dressed;
      const lines: Line[] = [];
      const say = (...texts: string[]): void => void lines.push(...texts.map((text) => ({ text, of: null })));
      if (clothes.startsWith('preamble')) say('Here they are:', '');
      if (clothes.includes('one fence')) say('```xml');
      for (const [number, file] of files.entries()) {
        if (clothes === 'a fence each') say('```md');
        say(`${indent}<file path="${file.path}">`);
        lines.push(...file.body.map((text) => ({ text, of: number })));
        say(`${indent}</file>`);
        if (clothes === 'a fence each') say('```');
        say('');
      }
      if (clothes.includes('one fence')) say('```');
      for (const [name, at] of faults) FAULTS[name]?.(lines, at);
      return {
        text: lines.map(({ text }) => text.replace(CUT, '') + eol).join(''),
        meant: new Map(
          files.map(({ path }, number) => [
            path,
            lines.flatMap(({ text, of }) => (of === number ? [text + eol] : [])).join(''),
          ]),
        ),
      };
    });
}

/** Any lines in any order: what no agent would write. */
export const soup: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      prose,
      code,
      fc.constantFrom(
        '</file>',
        '</file>',
        '  </file>',
        '<file path="CLAUDE.md">',
        "<file lang='x' path='AGENTS.md'>",
        '<file path="../x">',
        '   <file path="src/AGENTS.md">',
        '    <file path="src/AGENTS.md">',
        '<file path=x>',
        '<filex',
        '<FILE path="x">',
        '```',
        '```',
        '````',
        '~~~',
        '```a`b```',
        '<!-- file: CLAUDE.md -->',
      ),
    ),
    { maxLength: 24 },
  )
  .chain((lines) => fc.constantFrom('\n', '\r\n').map((eol) => lines.join(eol)));
