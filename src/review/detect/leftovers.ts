import { type ChangedFile, findingAt } from '../changed-file.ts';
import { generatedBy, isAroundProduct } from '../paths.ts';
import { codeLine, type Source } from '../source.ts';
import type { Detector } from './detector.ts';

const ALWAYS: { [language in Source['language']]: RegExp | null } = {
  script: /(?<![\w.$])debugger\s*(?:;|$)|\bconsole\.(?:debug|trace|dir|table)\s*\(/,
  python:
    /\b(?:pdb|ipdb|pudb)\.set_trace\s*\(|(?<![\w.])breakpoint\s*\(\s*\)|^\s*(?:import|from)\s+(?:pdb|ipdb|pudb)\b/,
  other: null,
};

/** Printing is what some programs are for: it is a leftover only where the file did not print before. */
const PRINTS: { [language in Source['language']]: RegExp | null } = {
  script: /(?<![\w.$])console\.log\s*\(/,
  python: /(?<![\w.])print\s*\(/,
  other: null,
};

const OTHERS: readonly [RegExp, RegExp][] = [
  [/\.rs$/, /\bdbg!\s*\(/],
  [/\.rb$/, /\bbinding\.(?:pry|irb)\b|\bbyebug\b/],
  [/\.php$/, /\bvar_dump\s*\(|\bdd\s*\(/],
];

/** Statements for whoever looked for a bug. */
export const leftovers: Detector = ({ files }) =>
  files.flatMap((file) => {
    const { after } = file;
    if (!after || generatedBy(file.path) !== null) return [];
    const always = ALWAYS[after.language] ?? OTHERS.find(([form]) => form.test(file.path))?.[1] ?? null;
    const prints = mayPrint(file) ? null : PRINTS[after.language];
    return file.newLines.flatMap(({ line }) => {
      const code = codeLine(after, line).slice(0, 1000);
      if (always?.test(code))
        return [findingAt(file, 'debug-leftover', 'after', line, 'a statement of a debugger')];
      return prints?.test(code)
        ? [findingAt(file, 'debug-leftover', 'after', line, 'it prints, which this file did not do before')]
        : [];
    });
  });

function mayPrint(file: ChangedFile): boolean {
  if (isAroundProduct(file.path)) return true;
  if (
    /(?:^|\/)(?:bin|cli|commands?|cmd)(?:\/|\.[^/]+$)|(?:^|\/)(?:cli|__main__|setup|manage|log(?:ger|ging)?)[^/]*$/i.test(
      file.path,
    )
  )
    return true;
  const prints = file.after && PRINTS[file.after.language];
  if (!prints) return true;
  if (file.after?.text.startsWith('#!')) return true;
  return file.before ? prints.test(file.before.code) : false;
}
