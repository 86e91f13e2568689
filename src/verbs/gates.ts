import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BatonError, messageOf, systemCode, UsageError } from '../core/errors.ts';
import { DEFAULT_LIMITS } from '../dispatch/options.ts';
import { lookLater } from '../evidence/later.ts';
import { CONFIG_FILE } from '../gates/config.ts';
import { configInTree, configOf, type GateConfig } from '../gates/config-source.ts';
import { configText, detectGates } from '../gates/detect/detect.ts';
import type { Proposal } from '../gates/detect/proposal.ts';
import type { Repository } from '../git/repository.ts';
import { readResult } from '../rundir/read-result.ts';
import { approve } from '../trust/approval.ts';
import { type FoundRun, runDirectoryAt, type RunChoice, treeAt } from './run-at.ts';

/** Which configuration: the one in the working tree now, or (`run`) the one before a run, which its gates come from. */
export type ConfigChoice = Pick<RunChoice, 'cd' | 'env' | 'run'>;

/** The gates of a project; null where it has no configuration. */
export async function listGates(choice: ConfigChoice): Promise<GateConfig | null> {
  if (choice.run === null) return configInTree(requireRepository(await treeAt(choice)));
  const run = await runDirectoryAt(choice);
  return configBefore(run, choice);
}

/** Approves the configuration as it is now, or was before a run. Returns it, and the files that say so. */
export async function approveGates(choice: ConfigChoice): Promise<{ config: GateConfig; files: string[] }> {
  const config = await listGates(choice);
  if (!config) {
    throw new UsageError(`there is nothing to approve: neither ${CONFIG_FILE} nor package.json has gates`, {
      hint: '`baton gates detect --write` makes one',
    });
  }
  const files = approve(requireRepository(await treeAt(choice)), 'gates', config.bytes);
  return { config: { ...config, approved: true }, files };
}

export interface Detected {
  proposals: Proposal[];
  /** The file that was written; null where nothing was. */
  written: string | null;
}

/** Gates that the project's own files speak of. With `write`, they make a new `baton.config.json`, not approved yet. */
export async function detect(choice: Pick<RunChoice, 'cd' | 'env'> & { write: boolean }): Promise<Detected> {
  const { treeTop } = await treeAt(choice);
  const proposals = detectGates(treeTop);
  if (!choice.write) return { proposals, written: null };
  if (proposals.length === 0)
    throw new UsageError(`nothing was found that could be a gate: write ${CONFIG_FILE} by hand`);
  const file = join(treeTop, CONFIG_FILE);
  try {
    writeFileSync(file, configText(proposals), { flag: 'wx' });
  } catch (error) {
    const there = systemCode(error) === 'EEXIST';
    throw new UsageError(there ? `${file} is there already: it is left as it is` : messageOf(error), {
      hint: 'without --write, `baton gates detect` shows what it would propose',
      cause: error,
    });
  }
  return { proposals, written: file };
}

async function configBefore(run: FoundRun, { env }: ConfigChoice): Promise<GateConfig | null> {
  const repository = requireRepository(run);
  const { beforeTree, baseCommit } = readResult(run.path).evidence;
  if (beforeTree === null)
    throw new BatonError('gates-unknown', `the working tree before run ${run.id} is not known`);
  const later = await lookLater({
    repository,
    runDir: run.path,
    name: 'config',
    baseCommit,
    env,
    maxUntrackedBytes: DEFAULT_LIMITS.maxUntrackedBytes,
    gitTimeoutMs: DEFAULT_LIMITS.gitMs,
  });
  return configOf(repository, later, beforeTree);
}

function requireRepository({ repository }: Pick<FoundRun, 'repository'>): Repository {
  if ('top' in repository) return repository;
  throw new UsageError(repository.detail, { hint: repository.hint });
}
