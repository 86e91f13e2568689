import type { Expected } from './completion-line.ts';
import type { NameKind } from '../verbs/known-names.ts';

/** Where the values of a flag or an argument come from. */
export interface ValueSource {
  /** Names that baton knows; `null` for none. */
  names: NameKind | null;
  /** Words that are always the same. */
  words: readonly string[];
  /** What the shell itself completes, where no name fits. */
  paths: 'files' | 'folders' | null;
  /** What is typed on right after the name, without a space. */
  suffix: string;
}

const NOTHING: ValueSource = { names: null, words: [], paths: null, suffix: '' };
const FILES: ValueSource = { ...NOTHING, paths: 'files' };
const FOLDERS: ValueSource = { ...NOTHING, paths: 'folders' };

/**
 * By what the help calls a value, such as `<run>`; where that says too little, by the flag in front of it, or by the
 * whole path of an argument.
 */
const SOURCES: ReadonlyMap<string, ValueSource> = new Map([
  ['<run>', named('runs')],
  ['<lane>', named('lanes')],
  ['--lane <name>', named('usable-lanes')],
  ['--gate <name=command>', { ...named('gates'), suffix: '=' }],
  ['--prompt <name|file>', { ...named('prompts'), paths: 'files' }],
  ['prompts render <name>', named('prompts')],
  ['--implementer <id>', named('implementers')],
  ['--implementer <key>', named('implementer-keys')],
  ['<target>', named('targets')],
  ['--target <name>', named('targets')],
  ['<kind>', named('brief-kinds')],
  ['--sandbox <mode>', named('sandboxes')],
  ['--effort <level>', named('efforts')],
  ['<dials>', named('dials')],
  ['<auto|tokens>', { ...NOTHING, words: ['auto'] }],
  ['<file>', FILES],
  ['<path>', FILES],
  ['<glob>', FILES],
  ['<dir>', FOLDERS],
]);

/** Where the values come from that may stand at the cursor. */
export function sourceOf(
  path: readonly string[],
  { flag, placeholder, choices }: Extract<Expected, { type: 'value' }>,
): ValueSource {
  if (choices.length > 0) return { ...NOTHING, words: choices };
  const own = `${flag ?? path.join(' ')} <${placeholder}>`;
  return SOURCES.get(own) ?? SOURCES.get(`<${placeholder}>`) ?? NOTHING;
}

function named(names: NameKind): ValueSource {
  return { ...NOTHING, names };
}
