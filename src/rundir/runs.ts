import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { RUN_ID_FORM } from '../core/ids.ts';
import { stringOf } from '../core/json.ts';
import { BatonError, systemCode } from '../core/errors.ts';
import { runIdIn } from './live.ts';
import { makePrivateFolder, readRecord, runsFolder, writeRecord } from './state-folder.ts';

/** A run that was found, and where its directory is. */
export interface RunEntry {
  id: string;
  path: string;
}

/** The working tree whose runs are meant. */
export interface RunsOfTree {
  stateHome: string;
  treeTop: string;
}

const POINTER = '.json';

/** Leaves a pointer in the state folder to a run with a directory of its caller's choice. Throws the system's error. */
export function recordRunElsewhere(tree: RunsOfTree, run: RunEntry): void {
  const folder = runsFolder(tree.stateHome, tree.treeTop);
  makePrivateFolder(folder);
  writeRecord(join(folder, `${run.id}${POINTER}`), { runId: run.id, path: run.path });
}

/** The runs of a working tree whose directories still hold them, newest first. */
export function listRuns(tree: RunsOfTree): RunEntry[] {
  return [...existingRuns(tree)];
}

/**
 * The run with this id, or with the only id that begins so; without an id the newest run of the tree.
 * Throws a BatonError: `no-run` where there is none, `ambiguous-run` where several begin so, `run-gone` where its
 * directory was removed or holds another run.
 */
export function findRun(request: RunsOfTree & { id: string | null }): RunEntry {
  const { id } = request;
  if (id === null) return newestRun(request);
  const folder = runsFolder(request.stateHome, request.treeTop);
  const names = namesIn(folder);
  const matches = names.includes(id) ? [id] : names.filter((name) => name.startsWith(id));
  const [match, another] = matches;
  if (match === undefined) {
    throw new BatonError('no-run', `no run ${JSON.stringify(id)} of ${request.treeTop} is known`, {
      hint: 'name the repository with --cd where it was another one; leave the id out for the newest run',
    });
  }
  if (another !== undefined) {
    const shown = matches.slice(0, 5).join(', ');
    throw new BatonError(
      'ambiguous-run',
      `${matches.length} runs begin with ${JSON.stringify(id)}: ${shown}${matches.length > 5 ? ' ...' : ''}`,
      {
        hint: 'write more of the id',
      },
    );
  }
  return located(folder, match);
}

function newestRun(tree: RunsOfTree): RunEntry {
  const newest = existingRuns(tree).next();
  if (!newest.done) return newest.value;
  throw new BatonError('no-run', `there is no run of ${tree.treeTop} yet`, {
    hint: 'start one with `baton dispatch`, or name the repository with --cd',
  });
}

/** One by one, so that the newest costs no look at the others. */
function* existingRuns(tree: RunsOfTree): Generator<RunEntry, undefined> {
  const folder = runsFolder(tree.stateHome, tree.treeTop);
  for (const id of namesIn(folder)) {
    const path = pathOf(folder, id);
    if (runIdIn(path) === id) yield { id, path };
  }
}

function located(folder: string, id: string): RunEntry {
  const path = pathOf(folder, id);
  const there = runIdIn(path);
  if (there === id) return { id, path };
  const now = there === null ? 'and is not there any more' : `which now holds run ${there}`;
  throw new BatonError('run-gone', `run ${id} was kept in ${path}, ${now}`);
}

/** Run ids in a folder, newest first: they sort by time. */
function namesIn(folder: string): string[] {
  const ids = new Set(
    entriesOf(folder).map((name) => (name.endsWith(POINTER) ? name.slice(0, -POINTER.length) : name)),
  );
  return [...ids]
    .filter((id) => RUN_ID_FORM.test(id))
    .sort()
    .reverse();
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}

function pathOf(folder: string, id: string): string {
  return stringOf(readRecord(join(folder, `${id}${POINTER}`))?.['path']) ?? join(folder, id);
}
