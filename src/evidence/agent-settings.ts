import { readdirSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { messageOf, systemCode } from '../core/errors.ts';
import { arrayOf, isObject, objectOf } from '../core/json.ts';
import { describeChanges } from './git-settings.ts';
import { type Fingerprint, fingerprint, readFolder, readPlainFile } from './plain-file.ts';
import { isPlaceholder } from './residue.ts';

/**
 * The files that steer agents: what one agent leaves there runs, or is believed, in the next one. Each CLI's sandbox
 * guards only its own folders, so baton looks at all of them.
 */
export interface AgentSettingsState {
  /** By absolute path. */
  files: ReadonlyMap<string, Fingerprint>;
  /** Scripts that a hook names, wherever they lie. */
  scripts: ReadonlyMap<string, Fingerprint>;
}

interface AgentPlace {
  top: string;
  /** Where the implementer works; every folder from here up to the top is looked at. */
  cwd: string;
  home: string | undefined;
  /** Not looked at: a run directory that lies in the tree. */
  runDir: string | undefined;
}

const NAMES = [
  '.claude/hooks',
  '.claude/skills',
  '.claude/agents',
  '.claude/commands',
  '.agents',
  '.mcp.json',
  '.codex',
  '.delegate',
  'baton.config.json',
];
const CLAUDE_SETTINGS = /^settings.*\.json$/;
const LIMITS = { entries: 2000, depth: 8, fileBytes: 1024 * 1024 };
/** Settings of claude, besides hooks, whose value is a command that runs outside its sandbox. */
const COMMAND_SETTINGS = [
  'apiKeyHelper',
  'awsAuthRefresh',
  'awsCredentialExport',
  'gcpAuthRefresh',
  'otelHeadersHelper',
];

type Say = (sentence: string) => void;

/** Reads the settings as plain files. What cannot be read is said to `gap`. */
export function readAgentSettings(place: AgentPlace, gap: Say): AgentSettingsState {
  const files = new Map<string, Fingerprint>();
  const scripts = new Map<string, Fingerprint>();
  for (const base of foldersUp(place.cwd, place.top)) {
    for (const path of settingsPaths(base, files, gap)) readInto(files, base, path, place, gap);
    for (const path of hookScripts(base, place)) {
      // A command line is no list of files: what is no file yet may be planted, what is a folder is not run.
      const file = readPlainFile(path, LIMITS.fileBytes);
      if (file.kind === 'unreadable') gap(`cannot read ${path}: ${file.code}`);
      if (file.kind !== 'folder' && !files.has(path)) scripts.set(path, fingerprint(file));
    }
  }
  return { files, scripts };
}

/** What differs, as sentences that begin with the name of the file. `name` makes a path short for a person. */
export function compareAgentSettings(
  before: AgentSettingsState,
  after: AgentSettingsState,
  name: (path: string) => string,
): string[] {
  // A script that only one side knows came with a settings file that differs, or is among the files.
  const old = namedIn(after.scripts, before.scripts);
  const now = namedIn(before.scripts, after.scripts);
  return [
    ...describeChanges(before.files, after.files).map(({ path, what }) => `${name(path)} ${what}`),
    ...describeChanges(old, now).map(
      ({ path, what }) => `${name(path)}, which an agent's settings run, ${what}`,
    ),
  ];
}

/** The words of a shell command that can be files, resolved as an agent's hook would find them. */
function scriptsOf(command: string, base: string, home: string | undefined): string[] {
  const expanded = command
    .replace(/\$\{?(?:CLAUDE_PROJECT_DIR|PWD)\}?/g, base)
    .replace(/\$\(git rev-parse --show-toplevel\)/g, base);
  const words = expanded.match(/(?:"[^"]*"|'[^']*'|[^\s"';&|()<>])+/g) ?? [];
  return words
    .map((word) => word.replace(/["']/g, ''))
    .filter((word) => /[/.]/.test(word) && !word.startsWith('-') && !word.includes('$'))
    .flatMap((word) => {
      if (word.startsWith('~/')) return home ? [join(home, word.slice(2))] : [];
      return [isAbsolute(word) ? word : resolve(base, word)];
    });
}

function namedIn(
  names: ReadonlyMap<string, Fingerprint>,
  files: ReadonlyMap<string, Fingerprint>,
): Map<string, Fingerprint> {
  return new Map([...files].filter(([path]) => names.has(path)));
}

function foldersUp(cwd: string, top: string): string[] {
  const way = relative(top, cwd);
  if (way.startsWith('..') || isAbsolute(way)) return [top, cwd];
  const folders = [top];
  for (let folder = cwd; folder !== top && folder.startsWith(top + sep); folder = dirname(folder))
    folders.push(folder);
  return folders;
}

function settingsPaths(base: string, files: Map<string, Fingerprint>, gap: Say): string[] {
  const claude = join(base, '.claude');
  const folder = readPlainFile(claude, 0);
  const paths = NAMES.map((name) => join(base, name));
  // The folder itself, where it is a link or no folder at all.
  if (folder.kind !== 'absent' && (folder.kind !== 'folder' || folder.link !== null)) paths.push(claude);
  if (folder.kind !== 'folder') return paths;
  try {
    const settings = readdirSync(claude).filter((name) => CLAUDE_SETTINGS.test(name));
    return [...paths, ...settings.map((name) => join(claude, name))];
  } catch (error) {
    const code = systemCode(error) ?? messageOf(error);
    gap(`cannot list ${claude}: ${code}`);
    files.set(claude, { kind: 'unreadable', code });
    return paths;
  }
}

function readInto(
  files: Map<string, Fingerprint>,
  base: string,
  path: string,
  place: AgentPlace,
  gap: Say,
): void {
  if (path === place.runDir) return;
  const file = readPlainFile(path, LIMITS.fileBytes);
  if (file.kind === 'absent' || isPlaceholder(relative(base, path), file)) return;
  if (file.kind === 'unreadable') gap(`cannot read ${path}: ${file.code}`);
  if (file.kind !== 'folder' || file.link !== null) files.set(path, fingerprint(file));
  if (file.kind !== 'folder' || path === join(base, '.claude')) return;
  const inRunDir = (child: string): boolean => child === place.runDir;
  for (const [name, found] of readFolder(path, LIMITS, gap, inRunDir)) files.set(join(path, name), found);
}

/** The scripts named by the hooks of claude and codex in one folder. */
function hookScripts(base: string, { home }: AgentPlace): string[] {
  const commands = ['.claude/settings.json', '.claude/settings.local.json', '.codex/hooks.json'].flatMap(
    (name) => jsonCommands(join(base, name)),
  );
  commands.push(...tomlCommands(join(base, '.codex', 'config.toml')));
  return commands.flatMap((command) => scriptsOf(command, base, home));
}

function jsonCommands(path: string): string[] {
  try {
    const settings = objectOf(JSON.parse(textOf(path)));
    const status = objectOf(settings['statusLine'])['command'];
    const named = [status, ...COMMAND_SETTINGS.map((name) => settings[name])].filter(
      (value) => typeof value === 'string',
    );
    return [...named, ...hookCommands(settings['hooks'])];
  } catch {
    // The CLI ignores a file that does not parse, and so runs nothing that it names.
    return [];
  }
}

/** `{ Event: [{ hooks: [{ command, args }] }] }`, tolerant of anything else. */
function hookCommands(hooks: unknown): string[] {
  return Object.values(objectOf(hooks))
    .flatMap(arrayOf)
    .flatMap((group) => arrayOf(objectOf(group)['hooks']))
    .filter(isObject)
    .map((hook) =>
      [hook['command'], ...arrayOf(hook['args'])].filter((part) => typeof part === 'string').join(' '),
    );
}

/** The strings of `command` keys; no TOML reader is needed to find a file's name in them. */
function tomlCommands(path: string): string[] {
  const form = /^\s*(?:command|notify)\s*=\s*(.*)$/gm;
  return [...textOf(path).matchAll(form)].map((match) =>
    (match[1] ?? '').replace(/[[\],]/g, ' ').replace(/^(["'])(.*)\1$/, '$2'),
  );
}

function textOf(path: string): string {
  const file = readPlainFile(path, LIMITS.fileBytes);
  return file.kind === 'file' && file.bytes ? file.bytes.toString('utf8') : '';
}
