import { UsageError } from '../core/errors.ts';
import type { Env } from '../core/environment.ts';
import type { Repository } from '../git/repository.ts';
import { promptSources, type ProjectPromptState } from '../generate/prompt-sources.ts';
import { scanInWords } from '../generate/scan/in-words.ts';
import { scanRepository } from '../generate/scan/scan.ts';
import { type Vars, variablesOf } from '../prompts/expand.ts';
import { findPrompt, loadPromptFrom, partialsOf } from '../prompts/load.ts';
import { approve } from '../trust/approval.ts';
import { readProjectPrompts } from '../trust/project-prompts.ts';
import { treeAt } from './run-at.ts';

export interface PromptChoice {
  cd: string;
  /** `--prompts`; null for the user's configuration folder. */
  dir: string | null;
  env: Env;
}

/** A prompt or a partial, as it would be used here. */
export interface ListedPrompt {
  name: string;
  kind: 'prompt' | 'partial';
  /** The folder that it comes from. */
  from: string;
  /** The values that it asks for, its partials included. */
  values: string[];
}

export interface PromptList {
  prompts: ListedPrompt[];
  /** The repository's own; null where it has none. */
  project: ProjectPromptState | null;
  notes: string[];
}

/** All prompts and partials that can be asked for, each from where it would be taken. */
export async function listPrompts(choice: PromptChoice): Promise<PromptList> {
  const { sources, project, notes } = await sourcesAt(choice);
  const findPartial = partialsOf(sources);
  const files = [...new Set(sources.flatMap((source) => source.files()))].sort();
  const prompts = files.flatMap((file): ListedPrompt[] => {
    const source = sources.find((one) => one.read(file) !== null);
    if (source === undefined) return [];
    const partial = file.startsWith('partials/');
    return [
      {
        name: file.replace('partials/', '').replace(/\.md$/, ''),
        kind: partial ? 'partial' : 'prompt',
        from: source.where,
        values: variablesOf(source.read(file) ?? '', findPartial),
      },
    ];
  });
  // Prompts first: partials are parts of them.
  return {
    prompts: [...prompts.filter(isPrompt), ...prompts.filter((one) => !isPrompt(one))],
    project,
    notes,
  };
}

/**
 * A prompt with its partials and values filled in. `scan`, where it is asked for and not given, is that of the
 * repository. Throws a UsageError that names what is missing.
 */
export async function renderPrompt(name: string, vars: Vars, choice: PromptChoice): Promise<string> {
  const { sources } = await sourcesAt(choice);
  const { template } = findPrompt(sources, name);
  const wantsScan =
    variablesOf(template, partialsOf(sources)).includes('scan') && !Object.hasOwn(vars, 'scan');
  const scan = wantsScan ? { scan: scanInWords(await scanRepository(choice.cd, { env: choice.env })) } : {};
  return loadPromptFrom(sources, name, { ...scan, ...vars });
}

/** Approves the repository's own prompts as they are now. Returns their hash, and the files that say so. */
export async function approvePrompts({
  cd,
  env,
}: Pick<PromptChoice, 'cd' | 'env'>): Promise<{ project: ProjectPromptState; written: string[] }> {
  const { repository } = await treeAt({ cd, env });
  if ('problem' in repository) throw new UsageError(repository.detail, { hint: repository.hint });
  const prompts = readProjectPrompts(repository.top);
  if (prompts === null)
    throw new UsageError('there is nothing to approve: this repository has no prompts/<name>.md');
  const written = approve(repository, 'prompts', prompts.bytes);
  const { project } = promptSources({ dir: null, repository, env });
  if (project === null) throw new UsageError('the prompts were removed meanwhile');
  return { project, written };
}

async function sourcesAt({ cd, dir, env }: PromptChoice) {
  const { repository } = await treeAt({ cd, env });
  return promptSources({ dir, repository: repositoryOrNull(repository), env });
}

function repositoryOrNull(found: Awaited<ReturnType<typeof treeAt>>['repository']): Repository | null {
  return 'top' in found ? found : null;
}

function isPrompt({ kind }: ListedPrompt): boolean {
  return kind === 'prompt';
}
