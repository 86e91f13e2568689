import { readdirSync } from 'node:fs';
import type { Env } from '../core/environment.ts';
import { messageOf } from '../core/errors.ts';
import type { Repository } from '../git/repository.ts';
import { type GitOutput, trustedGit } from '../git/trusted.ts';
import { type AgentSettingsState, compareAgentSettings, readAgentSettings } from './agent-settings.ts';
import { type GitDirState, readGitDir } from './git-dir.ts';
import { type BoundaryDifference, compareGitDirs, plainSentences, shortPath } from './git-dir-difference.ts';
import { parseIndexListing } from './index-entries.ts';
import { type AskGit, readReftable } from './reftable.ts';
import { usesReftable } from './refs.ts';

export type { BoundaryDifference } from './git-dir-difference.ts';

/** What lies on the orchestrator's side: history, refs, stash, index, git's settings and hooks, agents' settings. */
export interface BoundaryState {
  top: string;
  gitDir: GitDirState;
  agent: AgentSettingsState;
  gaps: string[];
}

interface BoundaryOptions {
  env: Env;
  /** Where the implementer works. */
  cwd: string;
  gitTimeoutMs: number;
  signal?: AbortSignal;
  /** Baton's own files, where they lie in the tree: not looked at. */
  runDir?: string;
}

/**
 * Reads the boundary, as plain files; git is asked only for what no plain read can tell (reftables, a split or a sparse
 * index). Never rejects: what cannot be read is one of `gaps`.
 */
export async function readBoundary(repository: Repository, options: BoundaryOptions): Promise<BoundaryState> {
  const { top, gitDir, commonDir, objectFormat } = repository;
  const { env, cwd, gitTimeoutMs, signal, runDir } = options;
  const gaps: string[] = [];
  const state = readGitDir({ top, gitDir, commonDir, env }, objectFormat);
  const agent = readAgentSettings({ top, cwd, home: env['HOME'], runDir }, (gap) => gaps.push(gap));
  const ask: AskGit = (args) =>
    trustedGit(repository, args, { env, timeoutMs: gitTimeoutMs, ...(signal && { signal }) });
  try {
    if (usesReftable(commonDir)) Object.assign(state, await readReftable(ask));
    if (state.index && needsGitToList(gitDir, state.index.bytes)) state.index.entries = await listIndex(ask);
  } catch (error) {
    gaps.push(`git could not list the refs or the index: ${messageOf(error)}`);
  }
  return { top, gitDir: state, agent, gaps };
}

/** What differs between two looks: each violation a sentence for a person. Nothing at all where nothing was touched. */
export function compareBoundary(before: BoundaryState, after: BoundaryState): BoundaryDifference {
  const { violations, notices, gaps, configChanged } = compareGitDirs(before.gitDir, after.gitDir);
  const settings = compareAgentSettings(before.agent, after.agent, (path) => shortPath(before.top, path));
  return plainSentences({
    violations: [...violations, ...settings.map((detail) => ({ kind: 'agent-settings' as const, detail }))],
    notices,
    gaps: [...gaps, ...before.gaps, ...after.gaps],
    configChanged,
  });
}

/**
 * A split index has its entries in a second file, a sparse one has folders in place of files: whether they are the same
 * entries as before, only git knows. Rather too often than not: a false alarm costs one call.
 */
function needsGitToList(gitDir: string, index: Buffer): boolean {
  if (index.length === 0) return false;
  return (
    index.includes('sdir\0\0\0\0') || readdirSync(gitDir).some((name) => name.startsWith('sharedindex.'))
  );
}

async function listIndex(ask: AskGit): Promise<ReturnType<typeof parseIndexListing>> {
  const { code, stdout, stderr }: GitOutput = await ask(['ls-files', '--stage', '--debug', '-z']);
  if (code !== 0) throw new Error(stderr.trim());
  return parseIndexListing(stdout);
}
