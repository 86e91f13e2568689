import { join } from 'node:path';
import { runCommand } from '../../core/command.ts';
import { managedFolder, settingsFiles } from '../../implementers/claude/settings.ts';
import { which } from '../../process/which.ts';
import { findTarget } from '../../targets/target.ts';
import { type HookStatus, type StatusRequest, withoutNetwork } from './hook-state.ts';
import { hooksInFile, type InFile, settingsIn } from './in-file.ts';

/**
 * What claude does with our hooks. `claude doctor` names settings that it does not take; it asks no model. It does not
 * speak of hooks, so whether they are turned off is read from the settings, the stronger over the weaker.
 */
export async function claudeHookStatus(request: StatusRequest): Promise<HookStatus> {
  const target = findTarget('claude');
  const inFile = hooksInFile(request.root, target);
  const done = (state: HookStatus['state'], source: HookStatus['source'], details: string[]): HookStatus => ({
    target: 'claude',
    state,
    source,
    details: [
      ...details,
      ...(inFile.detail === null || details.includes(inFile.detail) ? [] : [inFile.detail]),
    ],
  });
  if (inFile.state === 'absent') return done('absent', 'files', []);
  const path = join(request.root, target.settings);
  const invalid = await invalidSettings(request);
  const costly = (invalid ?? []).filter((line) => line.startsWith(path) && costsOurs(line, path, inFile));
  if (costly.length > 0) return done('file-ignored', 'cli', costly);
  if (inFile.state === 'unreadable') return done('file-ignored', 'files', []);
  const off = turnedOff(request);
  if (off !== null) return done('disabled', 'files', [off]);
  const unseen = 'what an organisation sends over the network is not seen';
  if (invalid === null)
    return done(inFile.state === 'all' ? 'in-force' : 'absent', 'files', [
      'claude could not be asked: this is by its documented rules',
      unseen,
    ]);
  return done(inFile.state === 'all' ? 'in-force' : 'absent', 'cli', [unseen]);
}

/** The lines of `claude doctor` on settings that it does not take; null where it did not answer. */
async function invalidSettings({ root, env, platform, limitMs }: StatusRequest): Promise<string[] | null> {
  const binary = which('claude', env, { platform });
  if (binary === null) return null;
  const { CLAUDECODE: _, ...outside } = env;
  const answer = await runCommand({
    file: binary,
    args: ['doctor'],
    cwd: root,
    env: {
      ...withoutNetwork(outside),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      NO_COLOR: '1',
    },
    timeoutMs: limitMs,
    maxBytes: 1024 ** 2,
  });
  const text = answer.stdout.toString('utf8');
  if (answer.end !== 'exited' || answer.code !== 0 || !text.includes('doctor')) return null;
  const section = /^Invalid settings\n((?:[ -].*\n)*)/m.exec(text)?.[1] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line) => line.slice(2));
}

/** Some mistakes cost only the entry that they are in; all others the whole file, and ours with it. */
function costsOurs(line: string, path: string, { paths }: InFile): boolean {
  const [, key, message = line] = /^ › ([^:]*): (.*)$/.exec(line.slice(path.length)) ?? [];
  if (!/\b(?:ignored|removed|skipped)\b/.test(message) || key === undefined) return true;
  return paths.some((own) => own === key || own.startsWith(`${key}.`) || key.startsWith(`${own}.`));
}

/** Why hooks of the project do not run; null where nothing turns them off. */
function turnedOff({ root, env, platform }: StatusRequest): string | null {
  if (/^(?:1|true)$/.test(env['CLAUDE_CODE_SIMPLE'] ?? ''))
    return 'CLAUDE_CODE_SIMPLE is set: claude runs no hooks';
  const files = settingsFiles({ env, cwd: root, platform, managedFolder: managedFolder(platform) });
  const onlyManaged = files.find(
    ({ path, source }) => source === 'managed' && settingsIn(path)['allowManagedHooksOnly'] === true,
  );
  if (onlyManaged) return `${onlyManaged.path} has allowManagedHooksOnly: hooks of a project do not run`;
  // From the user's over the project's to the administrator's: the last word counts.
  const last = files.findLast(({ path }) => typeof settingsIn(path)['disableAllHooks'] === 'boolean');
  return last && settingsIn(last.path)['disableAllHooks'] === true
    ? `${last.path} has disableAllHooks`
    : null;
}
