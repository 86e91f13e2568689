import { copyEnv } from '../core/environment.ts';
import { stateHome } from '../core/state-home.ts';
import { sanitizePublishedContent } from '../skills/published-content.ts';
import { TARGET_IDS } from '../targets/target.ts';
import { changeFiles, type FileChange } from './change-files.ts';
import type { FileBlock } from '../answers/file-block.ts';
import { look, type Seen } from './look.ts';
import { isSameText, printOf, withMark, withoutMark } from './ownership.ts';
import { publicationFolder, readPublished, recordPublished } from './publication-folder.ts';
import { withPublicationLock } from './publication-lock.ts';
import type { PublishedFile, PublishOptions, PublishOutcome, WriteFiles } from './publish-contract.ts';
import { unifiedDiff } from './publish-diff.ts';
import {
  type Candidate,
  type Decision,
  decideRemoval,
  planPublication,
  skip,
  statusOf,
} from './publish-plan.ts';
import { recoverPublication } from './recover.ts';
import { RootFolder } from './root-folder.ts';
import { type AllowedPaths, getAllowedPaths, sanitizePath } from '../targets/sanitize-path.ts';
import type { OnStep, Site } from './site.ts';
import { Spellings } from './spelling.ts';
import { foldersAbove } from './staging.ts';

/** Publishes skill files, and instruction files of the root (`CLAUDE.md`, `AGENTS.md`). */
export const writeSkillFiles: WriteFiles = (root, files, options = {}) =>
  publish({ root, files, options, nested: false });

/** Publishes the same, and instruction files in any folder (`src/billing/AGENTS.md`). */
export const writeTransformedFiles: WriteFiles = (root, files, options = {}) =>
  publish({ root, files, options, nested: true });

export interface PublishRequest {
  root: string;
  files: readonly FileBlock[];
  options: PublishOptions;
  /** Instruction files below the root may be written. */
  nested: boolean;
  /** What may be written, instead of what the targets own. */
  allowed?: AllowedPaths;
  /** Files that are to go, where baton wrote what lies there. They come after the others in the outcome. */
  removed?: readonly string[];
  /**
   * What lay there when a person was shown what would be written, by the given path: the hash of a file, null for
   * nothing. Where that is no longer so, nobody has agreed to what would be written: the file is skipped.
   */
  before?: ReadonlyMap<string, string | null>;
  onStep?: OnStep;
  platform?: NodeJS.Platform;
}

/** The one way in which files are published. */
export async function publish(request: PublishRequest): Promise<PublishOutcome> {
  const { dryRun = false, env = copyEnv(process.env) } = request.options;
  const home = stateHome(env);
  const root = RootFolder.open(request.root, request.platform);
  try {
    const folder = publicationFolder(home, root.path);
    if (dryRun) return await shown(plan(root, folder, request));
    const site: Site = { root, folder, onStep: request.onStep ?? (() => {}) };
    return await withPublicationLock({ stateHome: home, root: root.path }, () => {
      const recovered = recoverPublication(site);
      return { recovered, ...write(site, plan(root, folder, request)) };
    });
  } finally {
    root.close();
  }
}

/** Looks at everything, writes nothing. */
function plan(root: RootFolder, folder: string, request: PublishRequest): Decision[] {
  const { targets = TARGET_IDS, mark = false, force = false } = request.options;
  const allowed = request.allowed ?? getAllowedPaths(targets);
  const published = readPublished(folder);
  const spellings = new Spellings(root);
  const candidates = request.files.map((given): Candidate | Decision => {
    const clean = sanitizePath(given.path, allowed);
    if (!clean.ok) return skip(given.path, clean.reason);
    if (!request.nested && isNested(clean.path, allowed.folders))
      return skip(given.path, 'instruction files below the root are not written here');
    const path = spellings.of(clean.path);
    const plain = withoutMark(sanitizePublishedContent(given.content, path));
    const content = mark ? marked(plain, path) : plain;
    const seen = look(root, path);
    if (request.before && request.before.get(given.path) !== printOfSeen(seen))
      return skip(path, 'it changed since what would be written was shown');
    // The very text, without the mark, was copied there by hand: no word of a person's is lost.
    const text = mark && seen.kind === 'file' ? seen.bytes.toString('utf8') : null;
    const copied = text !== null && isSameText(text, plain) ? [printOf(text)] : [];
    const prints = [...(published.get(path) ?? []), ...copied];
    return { path, content, seen, prints };
  });
  const removals = (request.removed ?? []).flatMap((given): Decision[] => {
    const clean = sanitizePath(given, allowed);
    if (!clean.ok) return [skip(given, clean.reason)];
    const { path } = clean;
    const decision = decideRemoval({ path, seen: look(root, path), prints: published.get(path) ?? [] });
    return decision ? [decision] : [];
  });
  return [...planPublication(candidates, { force }), ...removals];
}

/** What lies at each of these paths, for a publication that is to hold to it (`before`). */
export function whatLies(root: string, paths: readonly string[]): Map<string, string | null> {
  const folder = RootFolder.open(root);
  try {
    const spellings = new Spellings(folder);
    return new Map(paths.map((path) => [path, printOfSeen(look(folder, spellings.of(path)))]));
  } finally {
    folder.close();
  }
}

function printOfSeen(seen: Seen): string | null {
  return seen.kind === 'file' ? seen.hash : null;
}

/** A mark that came with a text (a model repeats what it read) says nothing about it: it is gone by now. */
function marked(content: string, path: string): string {
  if (content.trim() === '') return content;
  if (path.endsWith('.md')) return withMark(content);
  return path.endsWith('.mjs') ? withMark(content, 'program') : content;
}

function isNested(path: string, folders: readonly string[]): boolean {
  return path.includes('/') && !folders.some((folder) => path.startsWith(`${folder}/`));
}

function write(site: Site, decisions: readonly Decision[]): Pick<PublishOutcome, 'files' | 'publication'> {
  const own = decisions.flatMap((one) => (one.act === 'skip' || one.act === 'remove' ? [] : [one]));
  const changes = decisions.flatMap((one): FileChange[] => {
    if (one.act === 'skip' || one.act === 'unchanged') return [];
    if (one.act === 'remove') return [{ path: one.path, before: one.seen, after: null }];
    const { mode, owner } = one.seen ?? { mode: null, owner: null };
    return [
      { path: one.path, before: one.seen, after: { bytes: Buffer.from(one.content, 'utf8'), mode, owner } },
    ];
  });
  if (own.length > 0)
    recordPublished(site.folder, new Map(own.map((one) => [one.path, printOf(one.content)])));
  site.onStep('recorded');
  const emptied = changes.flatMap(({ path, after }) => (after === null ? foldersAbove(path) : []));
  const about = { kind: 'publish', undoes: null, emptied: [...new Set(emptied)].sort() } as const;
  const changed = changes.length > 0 ? changeFiles(site, about, changes) : null;
  const files = decisions.map((decision): PublishedFile => {
    const refusal = changed?.refused.get(decision.path);
    if (refusal !== undefined && decision.act !== 'skip') return asFile(skip(decision.path, refusal));
    return asFile(decision);
  });
  return { files, publication: changed?.id ?? null };
}

async function shown(decisions: readonly Decision[]): Promise<PublishOutcome> {
  const files: PublishedFile[] = [];
  for (const decision of decisions) {
    const file = asFile(decision, true);
    if (decision.act !== 'create' && decision.act !== 'update') files.push(file);
    else {
      const { path, content, seen } = decision;
      const diff = await unifiedDiff(path, seen?.bytes.toString('utf8') ?? null, content);
      files.push({ ...file, content, diff });
    }
  }
  return { files, publication: null, recovered: null };
}

function asFile(decision: Decision, dryRun = false): PublishedFile {
  const { path } = decision;
  const status = statusOf(decision, dryRun);
  if (decision.act !== 'skip') return { path, status };
  const { reason, forcible } = decision;
  return forcible ? { path, status, reason, forcible } : { path, status, reason };
}
