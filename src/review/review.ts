import { lstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Env } from '../core/environment.ts';
import type { NoRepository, Repository } from '../git/repository.ts';
import { findImplementer } from '../implementers/registry.ts';
import { readRegularFile } from '../rundir/artifact.ts';
import { artifactPath } from '../rundir/layout.ts';
import { readResult } from '../rundir/read-result.ts';
import type { Change, Result } from '../rundir/result.ts';
import { changedFiles, type ChangedFile } from './changed-file.ts';
import { readContents } from './contents.ts';
import { findingsOf } from './detect/all.ts';
import type { Finding } from './finding.ts';
import { type GateFact, readGateFacts } from './gate-fact.ts';
import { type FilePatch, parsePatch } from './patch.ts';
import { readTestTexts } from './test-texts.ts';
import { readTimeline, type Timeline } from './timeline.ts';

export interface ReviewRequest {
  runDir: string;
  /** Where the run was; its object store is the run's own. */
  repository: Repository | NoRepository;
  env: Env;
  /** Of a run that reworks others: those, oldest first, and what they changed together. */
  chain?: Chain;
}

export interface Chain {
  earlier: readonly Result[];
  changes: Change[];
  patchPath: string;
  /** The object store with both sides of every change. */
  objects: string;
}

/** A run with everything that a reviewer wants to see of it. */
export interface ReviewedRun {
  result: Result;
  brief: string;
  timeline: Timeline;
  files: ChangedFile[];
  /** Null where no gates were run. */
  gates: GateFact[] | null;
  findings: Finding[];
  /** What was not looked at, and why: without a finding there it is not clean. */
  notReviewed: string[];
}

/** A larger side of a file is not read: nobody wrote it by hand. */
const MAX_FILE_BYTES = 2 * 1024 * 1024;
const MAX_PATCH_BYTES = 64 * 1024 * 1024;

/** Reads a finished run and looks at what it changed. Throws a BatonError where there is no result. */
export async function reviewRun(request: ReviewRequest): Promise<ReviewedRun> {
  const { runDir } = request;
  const last = readResult(runDir);
  const result = wholeResult(last, request.chain);
  const notReviewed: string[] = [];
  const [timeline, files, testTexts] = await Promise.all([
    timelineOf(request, result),
    readChanges(request, result, notReviewed),
    readTestTexts(request, result),
  ]);
  const { gates, gaps } = readGateFacts(runDir);
  const calls = timeline.entries.filter((entry) => entry.kind === 'tool');
  return {
    result,
    brief: readRegularFile(artifactPath(runDir, 'brief')) ?? '',
    timeline,
    files,
    gates,
    findings: findingsOf({
      result,
      ...(request.chain && { runs: [...request.chain.earlier, last] }),
      files,
      gates,
      calls,
      testTexts,
    }),
    notReviewed: [...notReviewed, ...gaps, ...result.evidence.coverage.gaps],
  };
}

/** The last result, with what all runs of its chain changed, did against the rules, and were denied. */
function wholeResult(result: Result, chain: Chain | undefined): Result {
  if (!chain) return result;
  const { earlier, changes } = chain;
  const violations = [...earlier, result].flatMap(({ evidence }) => evidence.violations);
  const denials = [...earlier, result].flatMap(({ agent }) => agent.denials);
  const tree = changes.length > 0 ? 'changed' : 'unchanged';
  return {
    ...result,
    evidence: { ...result.evidence, tree, changes, violations },
    agent: { ...result.agent, denials },
  };
}

async function timelineOf({ runDir, env }: ReviewRequest, { implementer: id }: Result): Promise<Timeline> {
  const implementer = findImplementer(id, env);
  return implementer
    ? readTimeline(artifactPath(runDir, 'events'), implementer.reader())
    : { entries: [], leftOut: 0 };
}

async function readChanges(
  { runDir, repository, env, chain }: ReviewRequest,
  { evidence }: Result,
  notReviewed: string[],
): Promise<ChangedFile[]> {
  const path = chain?.patchPath ?? artifactPath(runDir, 'patch');
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (evidence.tree === 'unknown' || !stat?.isFile()) {
    notReviewed.push('what the run changed is not known');
    return [];
  }
  if (stat.size > MAX_PATCH_BYTES) {
    notReviewed.push(`the patch has more than ${MAX_PATCH_BYTES / 1024 ** 2} MiB: only paths were looked at`);
    return [];
  }
  const patches = parsePatch(await readFile(path));
  const contents =
    'problem' in repository
      ? new Map<string, Buffer>()
      : await readContents(oidsOf(patches), {
          repository,
          objects: chain?.objects ?? artifactPath(runDir, 'objects'),
          env,
          maxBytes: MAX_FILE_BYTES,
        });
  const files = changedFiles(patches, contents);
  notReviewed.push(...files.flatMap(unread));
  return files;
}

function oidsOf(patches: readonly FilePatch[]): string[] {
  return patches
    .filter(({ binary, newMode, oldMode }) => !binary && newMode !== '160000' && oldMode !== '160000')
    .flatMap(({ oldOid, newOid }) => [oldOid, newOid])
    .filter((oid) => oid !== null);
}

function unread({ path, patch, before, after }: ChangedFile): string[] {
  if (patch.binary) return [`${path}: binary`];
  const isMissing = (oid: string | null, source: unknown): boolean => oid !== null && source === null;
  const isText = patch.hunks.length > 0 && patch.newMode !== '120000' && patch.newMode !== '160000';
  return isText && (isMissing(patch.oldOid, before) || isMissing(patch.newOid, after))
    ? [`${path}: only its patch was read, as it is too large or not in the run's store`]
    : [];
}
