import { stateHome } from '../core/state-home.ts';
import type { Env } from '../core/environment.ts';
import type { Target } from '../targets/target.ts';
import { fileToday } from './existing-skills.ts';
import type { FileBlock } from '../answers/file-block.ts';
import { ownerOf } from '../publishing/ownership.ts';
import { publicationFolder, readPublished } from '../publishing/publication-folder.ts';
import { realPlace } from '../publishing/real-place.ts';

const IMPORT = '@AGENTS.md';
const HAS_IMPORT = /^@(?:\.\/)?AGENTS\.md\s*$/m;
/** What codex reads of all its instruction files together. */
const CODEX_LIMIT = 32 * 1024;

/**
 * The file that holds the instructions, from which the others are made; null where nothing is to be written: for claude
 * alone, an `AGENTS.md` that is there already is the source, and not claude's to change.
 */
export function instructionSource(top: string, targets: readonly Target[]): string | null {
  const place = realPlace(top, 'CLAUDE.md');
  if (isOneFile(top) && targets.some(({ id }) => id === 'claude'))
    return targets.some(({ instructions }) => instructions === place) ? place : null;
  if (targets.some(({ id }) => id === 'codex')) return 'AGENTS.md';
  return fileToday(top, 'AGENTS.md') === null ? 'CLAUDE.md' : null;
}

export interface InstructionFiles {
  files: FileBlock[];
  notes: string[];
}

/**
 * The instruction files of all targets from one source. claude does not look at `AGENTS.md` where there is a
 * `CLAUDE.md`, so that one begins by taking it in; what a person has in it stays below.
 */
export function instructionFiles(
  top: string,
  targets: readonly Target[],
  source: FileBlock | null,
  env: Env,
): InstructionFiles {
  const files = source === null ? [] : [source];
  const notes: string[] = [];
  if (isOneFile(top)) return { files, notes };
  const agents = source?.path === 'AGENTS.md' ? source.content : fileToday(top, 'AGENTS.md');
  if (agents !== null && Buffer.byteLength(agents) > CODEX_LIMIT)
    notes.push(`AGENTS.md has more than ${CODEX_LIMIT} bytes: codex reads no further`);
  if (agents === null || !targets.some(({ id }) => id === 'claude')) return { files, notes };
  const claude = claudeFile(top, env);
  return { files: claude === null ? files : [...files, { path: 'CLAUDE.md', content: claude }], notes };
}

/** Whether one of the two is a link to the other. */
function isOneFile(top: string): boolean {
  return realPlace(top, 'AGENTS.md') === realPlace(top, 'CLAUDE.md');
}

/** `CLAUDE.md` with its first line; null where it has it, wherever it stands. */
function claudeFile(top: string, env: Env): string | null {
  const today = fileToday(top, 'CLAUDE.md');
  if (today !== null && HAS_IMPORT.test(today)) return null;
  const published = readPublished(publicationFolder(stateHome(env), top)).get('CLAUDE.md') ?? [];
  const own = today === null || today.trim() === '' || ownerOf(Buffer.from(today), published) === 'baton';
  // One that baton generated before there was an AGENTS.md says the same as that does.
  return own ? `${IMPORT}\n` : `${IMPORT}\n\n${today.replace(/^\ufeff/, '')}`;
}
