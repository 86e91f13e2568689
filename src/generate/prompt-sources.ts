import { statSync } from 'node:fs';
import { join } from 'node:path';
import { configHome } from '../core/config-home.ts';
import type { Env } from '../core/environment.ts';
import { BatonError, UsageError } from '../core/errors.ts';
import type { Repository } from '../git/repository.ts';
import { folderSource, type PromptSource, shippedSources, textSource } from '../prompts/source.ts';
import { contentHash, isApproved } from '../trust/approval.ts';
import { PROMPTS_FOLDER, projectPromptNames, readProjectPrompts } from '../trust/project-prompts.ts';

/** A repository's own prompts, and whether they count. */
export interface ProjectPromptState {
  /** What an approval is bound to; null where they cannot be read as a whole. */
  hash: string | null;
  approved: boolean;
  files: string[];
  /** Why they cannot be used, approved or not. */
  problem: string | null;
}

export interface PromptSources {
  /** In the order in which they are asked: named or the user's own, the repository's where approved, the shipped ones. */
  sources: PromptSource[];
  /** Null where the repository has none. */
  project: ProjectPromptState | null;
  /** For a person: prompts of the repository that would count were they approved. */
  notes: string[];
}

export interface PromptPlaces {
  /** `--prompts`; null for the user's configuration folder. */
  dir: string | null;
  /** Null outside a repository. */
  repository: Repository | null;
  env: Env;
}

/**
 * Where the prompts of a repository come from. Its own steer what is written into it, so they count only where a person
 * approved them as they are. Throws a UsageError for a `dir` that is no directory.
 */
export function promptSources({ dir, repository, env }: PromptPlaces): PromptSources {
  if (dir !== null && !statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--prompts ${JSON.stringify(dir)} is not a directory`);
  const first = folderSource(dir ?? join(configHome(env), 'prompts'));
  const shipped = shippedSources();
  const own = repository === null ? null : projectPrompts(repository);
  const hidden =
    own === null || own.state.approved ? [] : own.state.files.filter((file) => isHeldBack(file, shipped));
  return {
    sources: [first, ...(own?.source ? [own.source] : []), ...shipped],
    project: own?.state ?? null,
    notes:
      hidden.length === 0
        ? []
        : [
            `${PROMPTS_FOLDER}/ of this repository has ${hidden.join(', ')}, not used: ${own?.state.problem ?? 'nobody approved them (`baton prompts approve`)'}`,
          ],
  };
}

/** Many repositories have a folder of that name for themselves: only a name that baton looks for is worth a word. */
function isHeldBack(file: string, shipped: readonly PromptSource[]): boolean {
  return shipped.some((source) => source.read(file) !== null);
}

function projectPrompts(
  repository: Repository,
): { state: ProjectPromptState; source: PromptSource | null } | null {
  try {
    const prompts = readProjectPrompts(repository.top);
    if (prompts === null) return null;
    const { texts, bytes } = prompts;
    const approved = isApproved(repository, 'prompts', bytes);
    const state = { hash: contentHash(bytes), approved, files: [...texts.keys()], problem: null };
    return { state, source: approved ? textSource(join(repository.top, PROMPTS_FOLDER), texts) : null };
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    return {
      state: {
        hash: null,
        approved: false,
        files: projectPromptNames(repository.top),
        problem: error.message,
      },
      source: null,
    };
  }
}
