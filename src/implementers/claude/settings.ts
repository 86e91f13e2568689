import { readdir, readFile } from 'node:fs/promises';
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
  /** Set by an administrator: stronger than the profile that a run is started with. */
  managed: boolean;
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
export async function settingsWarnings(request: SettingsRequest): Promise<Warning[]> {
  const files = [...ownFiles(request), ...(await managedFiles(request.managedFolder))];
  return (await Promise.all(files.map(inspect))).flat();
}

export function managedFolder(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return '/Library/Application Support/ClaudeCode';
  return platform === 'win32' ? 'C:\\Program Files\\ClaudeCode' : '/etc/claude-code';
}

/** The CLI reads a project's settings from the working directory only, not from the top of the repository. */
function ownFiles({ env, cwd, platform }: SettingsRequest): SettingsFile[] {
  const home = readVariable(env, platform === 'win32' ? 'USERPROFILE' : 'HOME', platform) || homedir();
  const user = readVariable(env, 'CLAUDE_CONFIG_DIR', platform) || join(home, '.claude');
  return [
    join(user, 'settings.json'),
    join(cwd, '.claude', 'settings.json'),
    join(cwd, '.claude', 'settings.local.json'),
  ].map((path) => ({ path, managed: false }));
}

async function managedFiles(folder: string): Promise<SettingsFile[]> {
  const dropIns = join(folder, 'managed-settings.d');
  const names = await readdir(dropIns).catch(() => []);
  return [
    join(folder, 'managed-settings.json'),
    ...names.filter((name) => name.endsWith('.json')).map((name) => join(dropIns, name)),
  ].map((path) => ({ path, managed: true }));
}

async function inspect({ path, managed }: SettingsFile): Promise<Warning[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
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
  return undoings(settings, managed).map((what) => ({ text: `${path} ${what}`, gap: true }));
}

/** Each way in which these settings take something back that the sandbox of a run promises. */
function undoings(settings: JsonObject, managed: boolean): string[] {
  const sandbox = objectOf(settings['sandbox']);
  const excluded = arrayOf(sandbox['excludedCommands']).filter((entry) => typeof entry === 'string');
  const network = objectOf(sandbox['network']);
  const found: string[] = [];
  if (excluded.length > 0) {
    const list = truncate(excluded.join(', '), 200);
    found.push(
      `has sandbox.excludedCommands (${list}): such commands run outside the sandbox, where they can commit`,
    );
  }
  if (managed && sandbox['enabled'] === false) {
    found.push('has sandbox.enabled: false: an administrator turned the sandbox off');
  }
  if (sandbox['enableWeakerNestedSandbox'] === true) {
    found.push('has sandbox.enableWeakerNestedSandbox: the sandbox shares more with the machine');
  }
  if (network['allowAllUnixSockets'] === true) {
    found.push('has sandbox.network.allowAllUnixSockets: a command can ask a local service to write for it');
  }
  return found;
}
