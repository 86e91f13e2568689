import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Env } from '../core/environment.ts';
import { messageOf, systemCode } from '../core/errors.ts';
import type { ViolationKind } from '../rundir/result.ts';
import { approvalFiles } from '../trust/approval.ts';
import { type ConfigValues, describeConfigChanges, parseConfig } from './git-config-file.ts';
import {
  describeChange,
  type Fingerprint,
  fingerprint,
  readFolder,
  readPlainFile,
  readSmallFile,
} from './plain-file.ts';

/** Where a repository's files are. `env` names the user's own configuration; null leaves it out. */
export interface GitPlace {
  top: string;
  gitDir: string;
  commonDir: string;
  env: Env | null;
}

/** What decides how git behaves in a repository and which programs it runs. Paths are absolute. */
export interface GitSettingsState {
  configs: ReadonlyMap<string, { file: Fingerprint; text: string }>;
  /** `info/exclude`, `info/attributes`, alternates and the like. */
  files: ReadonlyMap<string, Fingerprint>;
  /** By folder: the default one, and each that `core.hooksPath` names. */
  hooks: ReadonlyMap<string, ReadonlyMap<string, Fingerprint>>;
  /** Linked worktrees: name to the path of their `.git` file. Null where they cannot be listed. */
  worktrees: ReadonlyMap<string, string> | null;
}

const MAX_CONFIG_BYTES = 1024 * 1024;
const MAX_INCLUDES = 50;
const HOOK_LIMITS = { entries: 500, depth: 4, fileBytes: 1024 * 1024 };

type Say = (sentence: string) => void;

/** Reads the settings as plain files. What cannot be read is said to `gap`. */
export function readGitSettings(place: GitPlace, gap: Say): GitSettingsState {
  const configs = readConfigs(place, gap);
  const values = [...configs.values()].map(({ text }) => parseConfig(text));
  const home = place.env?.['HOME'];
  const named = (key: string, base: string): string[] =>
    values.flatMap((config) => config.get(key) ?? []).flatMap((path) => expand(path, base, home) ?? []);

  const files = new Map<string, Fingerprint>();
  for (const path of [...ownFiles(place), ...named('core.attributesfile', place.top)])
    files.set(path, settle(readOrGap(path, gap)));
  for (const path of [...userFile(place.env, 'ignore'), ...named('core.excludesfile', place.top)])
    files.set(path, readUserIgnore(path, gap));
  const hooks = new Map<string, ReadonlyMap<string, Fingerprint>>();
  for (const folder of [join(place.commonDir, 'hooks'), ...named('core.hookspath', place.top)])
    hooks.set(folder, readHooks(folder, gap));
  return { configs, files, hooks, worktrees: readWorktrees(place.commonDir, gap) };
}

/** What differs, with sentences that begin with the name of the file. `name` makes a path short for a person. */
export function compareGitSettings(
  before: GitSettingsState,
  after: GitSettingsState,
  name: (path: string) => string,
): { kind: ViolationKind; detail: string }[] {
  const found: { kind: ViolationKind; detail: string }[] = [];
  // A file that only one side looked at came or went with a setting, and that setting is reported.
  for (const [path, old] of before.configs) {
    const now = after.configs.get(path);
    const change = now && describeChange(old.file, now.file);
    if (!change) continue;
    const settings = describeConfigChanges(parseConfig(old.text), parseConfig(now.text));
    const shown = settings.length === 0 ? `${change}, no setting differs` : listed(settings);
    found.push({ kind: 'git-config', detail: `${name(path)}: ${shown}` });
  }
  for (const [path, old] of before.files) {
    const now = after.files.get(path);
    const change = now && describeChange(old, now);
    if (change) found.push({ kind: 'git-config', detail: `${name(path)} ${change}` });
  }
  for (const [folder, old] of before.hooks) {
    const now = after.hooks.get(folder);
    if (now)
      for (const change of describeChanges(old, now))
        found.push({ kind: 'hooks', detail: `${name(join(folder, change.path))} ${change.what}` });
  }
  if (before.worktrees && after.worktrees) found.push(...compareWorktrees(before.worktrees, after.worktrees));
  return found;
}

/**
 * The files that differ between two folders, by their path in it. In a folder that was not listed whole, a file that is
 * missing may be there: only one that both sides have is compared.
 */
export function describeChanges(
  before: ReadonlyMap<string, Fingerprint>,
  after: ReadonlyMap<string, Fingerprint>,
): { path: string; what: string }[] {
  const absent: Fingerprint = { kind: 'absent' };
  const unlisted = [...before, ...after]
    .filter(([, { kind }]) => kind === 'unreadable')
    .map(([path]) => path);
  const unknown = (path: string): boolean =>
    unlisted.some((folder) => folder === '' || path.startsWith(`${folder}/`));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((path) => {
    const [old, now] = [before.get(path), after.get(path)];
    if ((!old || !now) && unknown(path)) return [];
    const what = describeChange(old ?? absent, now ?? absent);
    return what === null ? [] : [{ path, what }];
  });
}

/** At most five phrases, and how many more there are. */
export function listed(phrases: readonly string[]): string {
  const more = phrases.length - 5;
  return phrases.slice(0, 5).join('; ') + (more > 0 ? `; and ${more} more` : '');
}

function compareWorktrees(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): { kind: ViolationKind; detail: string }[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((worktree) => {
    const [old, now] = [before.get(worktree), after.get(worktree)];
    if (old === now) return [];
    const moved = now === undefined ? `at ${old} was removed` : `moved from ${old} to ${now}`;
    return [
      {
        kind: 'git-config',
        detail: `the worktree ${worktree} ${old === undefined ? `was added at ${now}` : moved}`,
      },
    ];
  });
}

/** Resolves a path as git's configuration writes it; null for forms that only git knows (`%(prefix)/`, `~user/`). */
function expand(path: string, base: string, home: string | undefined): string | null {
  if (path === '' || path.startsWith('%(')) return null;
  if (path.startsWith('~/')) return home ? join(home, path.slice(2)) : null;
  if (path.startsWith('~')) return null;
  return isAbsolute(path) ? path : resolve(base, path);
}

/** The repository's configuration files, the user's own, and whatever they include under any condition. */
function readConfigs(place: GitPlace, gap: Say): Map<string, { file: Fingerprint; text: string }> {
  const configs = new Map<string, { file: Fingerprint; text: string }>();
  const queue = [
    join(place.commonDir, 'config'),
    join(place.gitDir, 'config.worktree'),
    ...userConfigs(place.env),
  ];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (configs.has(path)) continue;
    if (configs.size >= MAX_INCLUDES) {
      gap(`more than ${MAX_INCLUDES} git configuration files: ${path} was not looked at`);
      break;
    }
    const file = readPlainFile(path, MAX_CONFIG_BYTES);
    if (file.kind === 'unreadable') gap(`cannot read ${path}: ${file.code}`);
    if (file.kind === 'file' && !file.bytes)
      gap(`${path} is larger than ${MAX_CONFIG_BYTES} bytes: its settings were not looked at`);
    const text = file.kind === 'file' && file.bytes ? file.bytes.toString('utf8') : '';
    configs.set(path, { file: settle(fingerprint(file)), text });
    queue.push(...includes(parseConfig(text), dirname(path), place.env?.['HOME']));
  }
  return configs;
}

function includes(config: ConfigValues, base: string, home: string | undefined): string[] {
  return [...config]
    .filter(([key]) => key === 'include.path' || (key.startsWith('includeif.') && key.endsWith('.path')))
    .flatMap(([, paths]) => paths)
    .flatMap((path) => expand(path, base, home) ?? []);
}

function userConfigs(env: Env | null): string[] {
  if (!env) return [];
  if (env['GIT_CONFIG_GLOBAL']) return [env['GIT_CONFIG_GLOBAL']];
  return [...(env['HOME'] ? [join(env['HOME'], '.gitconfig')] : []), ...userFile(env, 'config')];
}

/** A file of git's folder in the user's configuration, such as `~/.config/git/ignore`. */
function userFile(env: Env | null, name: string): string[] {
  if (!env) return [];
  const base = env['XDG_CONFIG_HOME'] || (env['HOME'] && join(env['HOME'], '.config'));
  return base ? [join(base, 'git', name)] : [];
}

function ownFiles({ top, gitDir, commonDir, env }: GitPlace): string[] {
  const shared = ['info/exclude', 'info/attributes', 'info/grafts', 'objects/info/alternates', 'shallow'];
  const paths = [
    ...shared.map((path) => join(commonDir, path)),
    join(gitDir, 'info/sparse-checkout'),
    join(gitDir, 'commondir'),
    ...approvalFiles(gitDir),
    ...approvalFiles(commonDir),
  ];
  // In a linked worktree or a submodule a file says where the git directory is.
  if (join(top, '.git') !== gitDir) paths.push(join(top, '.git'));
  return [...paths, ...userFile(env, 'attributes')];
}

function readHooks(folder: string, gap: Say): Map<string, Fingerprint> {
  const found = readOrGap(folder, gap);
  if (found.kind === 'absent') return new Map();
  const hooks =
    found.kind === 'folder'
      ? readFolder(folder, HOOK_LIMITS, gap, (path) => path.endsWith('.sample'))
      : new Map<string, Fingerprint>();
  if (found.kind !== 'folder' || found.link !== null) hooks.set('', found);
  return hooks;
}

function readWorktrees(commonDir: string, gap: Say): Map<string, string> | null {
  const folder = join(commonDir, 'worktrees');
  try {
    return new Map(readdirSync(folder).map((name) => [name, worktreePath(join(folder, name, 'gitdir'))]));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return new Map();
    gap(`cannot list ${folder}: ${systemCode(error) ?? messageOf(error)}`);
    return null;
  }
}

function worktreePath(gitdirFile: string): string {
  try {
    return readSmallFile(gitdirFile, 4096).toString('utf8').trim();
  } catch {
    return 'an unknown place';
  }
}

function readOrGap(path: string, gap: Say): Fingerprint {
  const file = readPlainFile(path, MAX_CONFIG_BYTES);
  if (file.kind === 'unreadable') gap(`cannot read ${path}: ${file.code}`);
  return fingerprint(file);
}

/**
 * The user's own ignore rules without the line that claude adds to them by itself, the first time that it runs a
 * command on a machine (seen with 2.1.332): that is no act of this run's implementer.
 */
function readUserIgnore(path: string, gap: Say): Fingerprint {
  const file = readPlainFile(path, MAX_CONFIG_BYTES);
  if (file.kind === 'unreadable') gap(`cannot read ${path}: ${file.code}`);
  if (file.kind !== 'file' || !file.bytes) return fingerprint(file);
  const lines = file.bytes.toString('utf8').split('\n');
  const rules = lines.filter((line) => line !== '' && line !== '**/.claude/.cc-writes/').join('\n');
  const { bytes: _, ...rest } = file;
  return settle({ ...rest, size: rules.length, digest: createHash('sha256').update(rules).digest('hex') });
}

/**
 * An empty settings file says the same as none. Claude's sandbox makes empty ones (`config.worktree`,
 * `objects/info/alternates`) so that it can protect them, and leaves them behind.
 */
function settle(file: Fingerprint): Fingerprint {
  return file.kind === 'file' && file.size === 0 && file.link === null ? { kind: 'absent' } : file;
}
