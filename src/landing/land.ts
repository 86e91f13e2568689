import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BatonError, messageOf } from '../core/errors.ts';
import { showPath } from '../git/raw-path.ts';
import { firstLine } from '../git/trusted.ts';
import { findHooks, type HookName, type HookRun, runHook } from './hooks.ts';
import { JOURNAL_SCHEMA, type MoveJournal, removeJournal, writeJournal } from './journal.ts';
import { withTrailers } from './message.ts';
import { moveHead } from './move-head.ts';
import { keepTree } from './objects.ts';
import type { PathChange } from './plan.ts';
import type { LandableRun, LandingPlan } from './plan-landing.ts';
import { prepareIndex } from './real-index.ts';
import { earlierOf, type GateFact, LANDING_SCHEMA, type LandedRecord } from './record.ts';
import { saveFiles } from './saved-files.ts';
import { takeBack } from './take-back.ts';
import { plainGit } from './target.ts';
import { changesBetween, oneLine, succeed, writeTree } from './trees.ts';
import type { Workshop } from './workshop.ts';

/** Where a landing is, for a progress line. In this order; hooks that are not there take no time. */
export type LandingStep =
  | 'journal'
  | 'objects'
  | HookName
  | 'commit'
  | 'index-locked'
  | 'moving'
  | 'moved'
  | 'index-written'
  | 'recorded';

export interface LandRequest {
  runs: readonly LandableRun[];
  plan: LandingPlan;
  message: string;
  /** Lines such as `Baton-Run: <id>`. */
  trailers: readonly string[];
  only: readonly string[];
  includeMyEdits: boolean;
  acceptHookChanges: boolean;
  acceptedViolations: readonly string[];
  gates: GateFact;
  onStep?: (step: LandingStep) => void;
  /** Ends a hook that is at work; the landing is then taken back. */
  signal?: AbortSignal;
}

/**
 * Commits what was planned. The journal is there before the first hook runs, so that whatever happens from then on is
 * completed or taken back, here or by the next command. Rejects with nothing changed.
 */
export async function land(workshop: Workshop, request: LandRequest): Promise<LandedRecord> {
  const { plan, runs, onStep } = request;
  // A conflict with what is staged is to be known before anything is done.
  await prepareIndex(workshop, plan.changes, plan.takeWhole);
  const text = withTrailers(request.message, request.trailers);
  const there = await findHooks(workshop);
  const journal = await openJournal(workshop, runs, plan, there.size > 0);
  try {
    onStep?.('journal');
    // Hooks look at the commit that is being made.
    await keepTree(workshop, plan.tree, plan.headTree);
    onStep?.('objects');
    const hooks: Hooks = { there, ran: [] };
    const tree = await preCommit(workshop, request, journal, hooks);
    const message = await writeMessage(workshop, request, journal, hooks, text);
    if (request.signal?.aborted) throw new BatonError('aborted', 'the landing was stopped');
    const commit = await makeCommit(workshop, plan, tree, message);
    onStep?.('commit');
    const [changes, rewritten] = [
      await changesBetween(workshop.git, plan.headTree, tree),
      await changesBetween(workshop.git, plan.tree, tree),
    ];
    const record = recordOf(request, { commit, tree, message, hooks: hooks.ran, changes, rewritten });
    await moveHead(workshop, journal, {
      target: commit,
      changes,
      takeWhole: plan.takeWhole,
      record,
      note: `commit: ${message.split('\n', 1)[0]}`,
      onStep,
    });
    if (there.has('post-commit')) await postCommit(workshop, request, record);
    return record;
  } catch (error) {
    throw await takenBack(workshop, journal, error);
  }
}

/** Those that there are, and what those that ran had to say. */
interface Hooks {
  there: ReadonlySet<HookName>;
  ran: HookRun[];
}

async function openJournal(
  workshop: Workshop,
  runs: readonly LandableRun[],
  plan: LandingPlan,
  hooked: boolean,
): Promise<MoveJournal> {
  const { git, folder, repository } = workshop;
  const movable = hooked ? await changesBetween(git, plan.headTree, plan.workingTree) : [];
  const journal: MoveJournal = {
    schema: JOURNAL_SCHEMA,
    kind: 'land',
    runIds: runs.map(({ id }) => id),
    directories: runs.map(({ directory }) => directory),
    head: plan.head,
    target: null,
    moving: false,
    tree: plan.tree,
    hook: null,
    files: saveFiles(
      repository.top,
      movable.map(({ path }) => path),
      join(folder, 'files'),
    ),
    indexHash: null,
    record: null,
  };
  writeJournal(folder, journal);
  return journal;
}

/** Returns the tree to commit: the planned one, or with consent what the hook made of it. */
async function preCommit(
  workshop: Workshop,
  request: LandRequest,
  journal: MoveJournal,
  hooks: Hooks,
): Promise<string> {
  const { folder, git } = workshop;
  const { plan } = request;
  const index = join(folder, 'commit.index');
  await fillIndex(workshop, plan.tree, index);
  await hook(workshop, request, journal, hooks, { name: 'pre-commit', index });
  const tree = await writeTree(plainGit(workshop), index);
  if (tree === plan.tree || request.acceptHookChanges) return tree;
  const rewritten = (await changesBetween(git, plan.tree, tree)).map(({ path }) => showPath(path));
  throw new BatonError(
    'hook-rewrote',
    `the hook pre-commit changed what was to be committed: ${rewritten.join(', ')}`,
    {
      hint: 'to commit it as the hook wants it, say --accept-hook-changes',
    },
  );
}

/** From the landed index, whose times spare git from reading every file; a hook asks for the status first. */
async function fillIndex({ git, folder }: Workshop, tree: string, index: string): Promise<void> {
  writeFileSync(index, readFileSync(join(folder, 'landed.index')), { mode: 0o600 });
  await succeed(git(['read-tree', '-i', '-m', tree], { index }), 'read-tree');
}

async function writeMessage(
  workshop: Workshop,
  request: LandRequest,
  journal: MoveJournal,
  hooks: Hooks,
  text: string,
): Promise<string> {
  const index = join(workshop.folder, 'commit.index');
  // Where hooks look for it, whether or not they are told.
  const file = join(workshop.repository.gitDir, 'COMMIT_EDITMSG');
  writeFileSync(file, text);
  await hook(workshop, request, journal, hooks, {
    name: 'prepare-commit-msg',
    args: [file, 'message'],
    index,
  });
  await hook(workshop, request, journal, hooks, { name: 'commit-msg', args: [file], index });
  const stripped = await succeed(workshop.git(['stripspace'], { input: readFileSync(file) }), 'stripspace');
  const message = stripped.stdout.toString('utf8');
  if (message.trim() === '') throw new BatonError('hook-failed', 'the hooks left the commit message empty');
  return message;
}

async function hook(
  workshop: Workshop,
  { signal, onStep }: LandRequest,
  journal: MoveJournal,
  hooks: Hooks,
  call: { name: HookName; args?: string[]; index: string },
): Promise<void> {
  if (!hooks.there.has(call.name)) return;
  const ended = await runHook({
    workshop,
    ...call,
    onStart: (identity) => {
      journal.hook = identity;
      writeJournal(workshop.folder, journal);
      onStep?.(call.name);
    },
    ...(signal && { signal }),
  });
  journal.hook = null;
  if (signal?.aborted) throw new BatonError('aborted', 'the landing was stopped');
  if (ended.output !== '' || ended.code !== 0) hooks.ran.push(ended);
  if (ended.code !== 0) {
    throw new BatonError(
      'hook-failed',
      `the hook ${ended.name} refused the commit (exit ${ended.code}): ${ended.output.trim()}`,
    );
  }
}

async function makeCommit(
  workshop: Workshop,
  { parent }: LandingPlan,
  tree: string,
  message: string,
): Promise<string> {
  const git = plainGit(workshop);
  const sign = await git(['config', '--type=bool', '--get', 'commit.gpgSign']);
  const args = [
    'commit-tree',
    ...(oneLine(sign) === 'true' ? ['-S'] : []),
    ...(parent === null ? [] : ['-p', parent]),
    tree,
  ];
  const made = await git(args, { input: Buffer.from(message) });
  if (made.code === 0) return oneLine(made);
  throw new BatonError(
    'commit-failed',
    `git could not make the commit: ${made.stderr.trim() || firstLine(made.stderr)}`,
  );
}

async function postCommit(workshop: Workshop, { onStep }: LandRequest, record: LandedRecord): Promise<void> {
  const onStart = (): void => onStep?.('post-commit');
  // The commit is there; what this hook thinks of it changes nothing.
  const ended = await runHook({ workshop, name: 'post-commit', onStart }).catch(() => null);
  if (ended && (ended.output !== '' || ended.code !== 0)) record.hooks.push(ended);
}

async function takenBack(workshop: Workshop, journal: MoveJournal, error: unknown): Promise<unknown> {
  if (journal.moving) {
    return new BatonError(
      'incomplete',
      `the commit is made, and what follows it was not done: ${messageOf(error)}`,
      {
        hint: 'mend that, and land again: it is completed then',
        cause: error,
      },
    );
  }
  const { restored, left, copies } = await takeBack(workshop, journal);
  removeJournal(workshop.folder);
  if (!(error instanceof BatonError) || (restored.length === 0 && left.length === 0)) return error;
  const words = [
    error.message,
    ...(restored.length > 0 ? [`put back as before: ${restored.join(', ')}`] : []),
    ...(left.length > 0
      ? [`changed meanwhile and left so: ${left.join(', ')} (as before in ${copies})`]
      : []),
  ];
  return new BatonError(error.code, words.join('; '), { hint: error.hint, cause: error });
}

function recordOf(
  request: LandRequest,
  made: {
    commit: string;
    tree: string;
    message: string;
    hooks: HookRun[];
    changes: readonly PathChange[];
    rewritten: readonly PathChange[];
  },
): LandedRecord {
  const { plan, runs, gates } = request;
  const last = runs.at(-1);
  return {
    schema: LANDING_SCHEMA,
    state: 'landed',
    at: new Date().toISOString(),
    runIds: runs.map(({ id }) => id),
    commit: made.commit,
    parent: plan.parent,
    takenCommits: plan.takenCommits,
    ref: plan.head.ref,
    tree: made.tree,
    message: made.message,
    changes: made.changes.map(describeChange),
    only: [...request.only],
    takenWhole: plan.takeWhole.map(showPath),
    includedEdits: request.includeMyEdits ? plan.myEdits.map(({ path }) => showPath(path)) : [],
    hookRewrote: made.rewritten.map(({ path }) => showPath(path)),
    hooks: made.hooks,
    gates,
    acceptedViolations: [...request.acceptedViolations],
    ...(last && earlierOf(last.directory)),
  };
}

/** As `git diff --name-status` letters it. */
export function describeChange({ path, from, to }: PathChange): { status: string; path: string } {
  const kind = (mode: string): string => mode.slice(0, 3);
  const status = !from ? 'A' : !to ? 'D' : kind(from.mode) === kind(to.mode) ? 'M' : 'T';
  return { status, path: showPath(path) };
}
