import { accessSync, type BigIntStats, constants } from 'node:fs';
import { systemCode } from '../core/errors.ts';
import { pathIn, type RawPath, showPath } from '../git/raw-path.ts';
import type { Status } from '../git/status.ts';
import { statOf } from './print.ts';

/** What is to be done with each path that differs from the private index. */
export interface Triage {
  /** Read them again: changed, new, or gone. */
  update: RawPath[];
  /** Take them out: something is there that a tree cannot hold, or the path leads through a link. */
  remove: RawPath[];
  /** Untracked and above the limit: a fingerprint is taken, the content is not kept. */
  large: RawPath[];
  /** Sentences about paths that cannot be read. */
  gaps: string[];
}

export interface TriageRules {
  top: string;
  maxUntrackedBytes: number;
  /** Left alone entirely: baton's own files. */
  isOwn: (path: RawPath) => boolean;
  /** Left alone while untracked: sandbox placeholders, what was ignored before the run. */
  leaveOut: (path: RawPath) => boolean;
  /** Not tracked by the user, though the private index has it by now. */
  untrackedBefore: (path: RawPath) => boolean;
  /** Was above the limit before: its content then was not kept, so it is compared by fingerprint for good. */
  largeBefore: (path: RawPath) => boolean;
}

export function triage(status: Status, rules: TriageRules): Triage {
  const plan: Triage = { update: [], remove: [], large: [], gaps: [] };
  for (const { path, gone } of status.dirty) {
    if (!rules.isOwn(path)) place(path, gone, rules.untrackedBefore(path), rules, plan);
  }
  for (const path of status.untracked) {
    if (rules.isOwn(path) || rules.leaveOut(path) || rules.largeBefore(path)) continue;
    place(path, false, true, rules, plan);
  }
  return plan;
}

function place(path: RawPath, gone: boolean, untracked: boolean, rules: TriageRules, plan: Triage): void {
  const file = pathIn(rules.top, path);
  let stat: BigIntStats | null;
  try {
    stat = statOf(file);
  } catch (error) {
    plan.gaps.push(`${showPath(path)} cannot be looked at: ${systemCode(error)}`);
    return;
  }
  if (gone) plan.remove.push(path);
  else if (!stat) plan.update.push(path);
  else if (stat.isSymbolicLink()) plan.update.push(path);
  else if (!stat.isFile()) {
    plan.remove.push(path);
    if (!stat.isDirectory())
      plan.gaps.push(`${showPath(path)} is not a file, a link or a folder: git cannot keep it`);
  } else if (!isReadable(file)) plan.gaps.push(`${showPath(path)} cannot be read: permission denied`);
  else if (untracked && stat.size > rules.maxUntrackedBytes) plan.large.push(path);
  else plan.update.push(path);
}

function isReadable(file: string | Buffer): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
