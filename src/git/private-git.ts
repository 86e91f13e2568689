import { lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { writeFileAtomic } from '../core/atomic-write.ts';
import type { Env } from '../core/environment.ts';
import { BatonError } from '../core/errors.ts';
import { type ConfigEntry, formatConfig } from './config-entries.ts';
import { filtersInTree } from './filter-programs.ts';
import type { FrozenRepository } from './frozen.ts';
import { rawFrom } from './raw-path.ts';
import type { Repository } from './repository.ts';
import { type GitOutput, trustedGit } from './trusted.ts';

/** A git directory of baton's own: the frozen configuration, a HEAD, and nothing else of the user's. */
export interface PrivateGit {
  git: GitCall;
  /** Filter drivers that are left out, by name, and why. Grows where one turns out not to work. */
  withoutFilters: ReadonlyMap<string, string>;
}

/** One call of git; `index` is the index file it works on. Rejects as `trustedGit` does. */
export type GitCall = (
  args: readonly string[],
  options?: { input?: Uint8Array; index?: string },
) => Promise<GitOutput>;

/** Keys of content filters that lie in the git directory (data, not programs). */
const FILTER_DATA = ['git-crypt'];

export interface PrivateGitRequest {
  /** Where the directory is made; anything there before is removed. */
  folder: string;
  /** New objects go here; the repository's own are read. */
  objects: string;
  /** The commit that HEAD is to name; null for an unborn branch. */
  head: string | null;
  env: Env;
  timeoutMs: number;
  signal?: AbortSignal;
}

/** Makes the private git directory, in files that are new each time: what lay there may have been written by others. */
export function openPrivateGit(frozen: FrozenRepository, request: PrivateGitRequest): PrivateGit {
  const { repository } = frozen;
  const { folder, objects } = request;
  const withoutFilters = new Map<string, string>();
  for (const name of filtersInTree(frozen.settings, repository.top)) {
    withoutFilters.set(name, 'its program lies in the working tree or takes code from there');
  }
  for (const own of [dirname(folder), objects]) refuseLink(own);
  if (lstatSync(folder, { throwIfNoEntry: false })) rmSync(folder, { recursive: true });
  mkdirSync(join(folder, 'refs'), { recursive: true, mode: 0o700 });
  mkdirSync(objects, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'HEAD'), `${request.head ?? 'ref: refs/heads/unborn'}\n`);
  const copies: [name: string, content: Buffer | null][] = [
    ['excludes', frozen.excludes],
    ['attributes', frozen.attributes],
    ['info/exclude', frozen.infoExclude],
    ['info/attributes', frozen.infoAttributes],
  ];
  for (const [name, content] of copies) {
    if (!content || saysNothing(content)) continue;
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, content);
  }
  linkData(repository, folder);
  const config = (): Buffer => formatConfig(settingsFor(frozen, folder, withoutFilters.keys()));
  writeFileSync(join(folder, 'config'), config());

  const extraEnv = {
    GIT_DIR: folder,
    GIT_COMMON_DIR: folder,
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: quoteForList(join(repository.commonDir, 'objects')),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
  };
  return {
    withoutFilters,
    async git(args, { index, input } = {}) {
      for (;;) {
        // Calls run side by side: one of them may have taken the filter out while this one was on its way.
        const before = new Set(withoutFilters.keys());
        const answer = await trustedGit(repository, args, {
          env: request.env,
          timeoutMs: request.timeoutMs,
          ...(request.signal && { signal: request.signal }),
          ...(input && { input }),
          extraEnv: { ...extraEnv, ...(index !== undefined && { GIT_INDEX_FILE: index }) },
        });
        // A required filter that does not work ends git altogether. Without it, the other paths can still be seen.
        const broken =
          answer.code === 0
            ? undefined
            : /^fatal: [^]*: clean filter '([^']*)' failed$/m.exec(answer.stderr)?.[1];
        if (broken === undefined || before.has(broken)) return answer;
        if (withoutFilters.has(broken)) continue;
        withoutFilters.set(broken, 'it did not work');
        // Whole or not at all: another call may be reading it.
        writeFileAtomic(join(folder, 'config'), config(), 0o600, false);
      }
    },
  };
}

/** `git init` makes an `info/exclude` of comments in every repository: a file and a folder fewer to make, twice a run. */
function saysNothing(rules: Buffer): boolean {
  return /^(?:#.*\n|\n)*$/.test(rules.toString('latin1'));
}

/** A folder of ours that is a link by now would have us write, and delete, wherever it leads. */
function refuseLink(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new BatonError('run-directory', `${path} was made a link: nothing is written there`);
}

function settingsFor(
  frozen: FrozenRepository,
  folder: string,
  withoutFilters: Iterable<string>,
): ConfigEntry[] {
  const { objectFormat } = frozen.repository;
  return [
    core('repositoryformatversion', objectFormat === 'sha1' ? '0' : '1'),
    core('bare', 'false'),
    core('excludesfile', rawFrom(join(folder, 'excludes'))),
    core('attributesfile', rawFrom(join(folder, 'attributes'))),
    ...(objectFormat === 'sha1'
      ? []
      : [{ section: 'extensions', subsection: null, name: 'objectformat', value: objectFormat }]),
    ...frozen.settings,
    ...[...withoutFilters].flatMap((filter) =>
      Object.entries({ clean: '', process: '', required: 'false' }).map(([name, value]) => ({
        section: 'filter',
        subsection: filter,
        name,
        value,
      })),
    ),
  ];
}

function core(name: string, value: string): ConfigEntry {
  return { section: 'core', subsection: null, name, value };
}

/** Parts that git looks for beside the index, or a filter beside the configuration. */
function linkData({ gitDir, commonDir }: Repository, folder: string): void {
  for (const name of readdirSync(gitDir)) {
    if (name.startsWith('sharedindex.')) symlinkSync(join(gitDir, name), join(folder, name));
  }
  for (const name of readdirSync(commonDir))
    if (FILTER_DATA.includes(name)) symlinkSync(join(commonDir, name), join(folder, name));
}

/** A list of folders is split at the separator, unless the entry is quoted. */
function quoteForList(path: string): string {
  if (!path.includes(delimiter) && !path.includes('\n') && !path.startsWith('"')) return path;
  return `"${path.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n')}"`;
}
