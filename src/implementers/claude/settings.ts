import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Env, readVariable } from '../../core/environment.ts';
import { messageOf, systemCode } from '../../core/errors.ts';
import { arrayOf, isObject, type JsonObject, objectOf } from '../../core/json.ts';
import { truncate } from '../../core/text.ts';
import type { Probe } from '../implementer.ts';

type Warning = Probe['warnings'][number];

interface SettingsFile {
  path: string;
  /** An administrator's settings are stronger than the profile of a run; a project's name scripts of the project. */
  source: 'user' | 'project' | 'managed';
}

export interface SettingsRequest {
  env: Env;
  cwd: string;
  platform: NodeJS.Platform;
  /** Where an administrator's settings lie. */
  managedFolder: string;
}

/**
 * What the settings of the user, the project and the administrator do to the sandbox of a run. The CLI merges lists
 * from all of them, so that the profile's own empty `excludedCommands` takes nothing away. A few small files are read;
 * a missing one is nothing, and none of them can fail the run.
 */
export function settingsWarnings(request: SettingsRequest): Warning[] {
  return settingsFiles(request).flatMap(inspect);
}

/** The settings files that may be there, the weaker before the stronger: the user's, the project's, an administrator's. */
export function settingsFiles(request: SettingsRequest): SettingsFile[] {
  return [...ownFiles(request), ...managedFiles(request.managedFolder)];
}

export function managedFolder(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return '/Library/Application Support/ClaudeCode';
  return platform === 'win32' ? 'C:\\Program Files\\ClaudeCode' : '/etc/claude-code';
}

/** The CLI reads a project's settings from the working directory only, not from the top of the repository. */
function ownFiles({ env, cwd, platform }: SettingsRequest): SettingsFile[] {
  const home = readVariable(env, platform === 'win32' ? 'USERPROFILE' : 'HOME', platform) || homedir();
  const user = readVariable(env, 'CLAUDE_CONFIG_DIR', platform) || join(home, '.claude');
  const project = join(cwd, '.claude');
  return [
    { path: join(user, 'settings.json'), source: 'user' },
    { path: join(project, 'settings.json'), source: 'project' },
    { path: join(project, 'settings.local.json'), source: 'project' },
  ];
}

function managedFiles(folder: string): SettingsFile[] {
  const dropIns = join(folder, 'managed-settings.d');
  const names = namesIn(dropIns);
  return [
    join(folder, 'managed-settings.json'),
    ...names.filter((name) => name.endsWith('.json')).map((name) => join(dropIns, name)),
  ].map((path) => ({ path, source: 'managed' }));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Synchronous, since a start of Node's thread pool costs more than these few files; a FIFO must not hold it for ever. */
function readFile(path: string): string {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(fd).isFile()) throw new Error('it is not a file');
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

function inspect({ path, source }: SettingsFile): Warning[] {
  let text: string;
  try {
    text = readFile(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return [];
    return [
      {
        text: `${path} cannot be read (${messageOf(error)}): what it does to the sandbox is unknown`,
        gap: true,
      },
    ];
  }
  let settings: unknown;
  try {
    settings = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const why = truncate(messageOf(error), 200);
    return [
      { text: `${path} is not valid JSON (${why}): claude ignores the whole file in silence`, gap: false },
    ];
  }
  if (!isObject(settings)) return [];
  return [
    ...undoings(settings, source).map((what) => ({ text: `${path} ${what}`, gap: true })),
    ...widenings(settings).map((what) => ({ text: `${path} ${what}`, gap: false })),
  ];
}

/** Each way in which these settings take something back that the sandbox of a run promises. */
function undoings(settings: JsonObject, source: SettingsFile['source']): string[] {
  const sandbox = objectOf(settings['sandbox']);
  const excluded = stringsOf(sandbox['excludedCommands']);
  const managed = source === 'managed';
  const found: [boolean, string][] = [
    [
      excluded.length > 0,
      `has sandbox.excludedCommands (${list(excluded)}): such commands run outside the sandbox, where they can commit`,
    ],
    [
      managed && sandbox['enabled'] === false,
      'has sandbox.enabled: false: an administrator turned the sandbox off',
    ],
    [
      managed && objectOf(sandbox['filesystem'])['disabled'] === true,
      'has sandbox.filesystem.disabled: an administrator lets sandboxed commands write everywhere',
    ],
    [
      sandbox['enableWeakerNestedSandbox'] === true,
      'has sandbox.enableWeakerNestedSandbox: the sandbox shares more with the machine',
    ],
    [
      objectOf(sandbox['network'])['allowAllUnixSockets'] === true,
      'has sandbox.network.allowAllUnixSockets: a command can ask a local service to write for it',
    ],
    ...HELPERS.map((name): [boolean, string] => [
      source === 'project' && typeof settings[name] === 'string',
      `has ${name}: it runs outside the sandbox, and the implementer may edit a script that it names`,
    ]),
  ];
  return found.filter(([applies]) => applies).map(([, what]) => what);
}

/** Commands that the CLI runs for itself, also from the settings of a project that nobody has trusted. */
const HELPERS = [
  'apiKeyHelper',
  'awsAuthRefresh',
  'awsCredentialExport',
  'gcpAuthRefresh',
  'otelHeadersHelper',
];

/** What lets a run write outside its working directory. Git directories and the run directory stay closed. */
function widenings(settings: JsonObject): string[] {
  const permissions = objectOf(settings['permissions']);
  const writable = [
    ...stringsOf(objectOf(objectOf(settings['sandbox'])['filesystem'])['allowWrite']),
    ...stringsOf(permissions['additionalDirectories']),
    ...stringsOf(permissions['allow']).filter((rule) =>
      /^(?:Edit|Write|MultiEdit|NotebookEdit)\b/.test(rule),
    ),
  ];
  return writable.length === 0 ? [] : [`lets runs write outside their working directory: ${list(writable)}`];
}

function stringsOf(value: unknown): string[] {
  return arrayOf(value).filter((entry) => typeof entry === 'string');
}

function list(entries: readonly string[]): string {
  return truncate(entries.join(', '), 200);
}
