import { BatonError, messageOf } from '../../core/errors.ts';
import { toJsonFile } from '../../core/json.ts';
import type { LaunchRequest } from '../implementer.ts';

/**
 * What the implementer may not ask its shell for. A first line only: `sh -c '…'; echo` walks past these rules.
 * What holds is the sandbox, which keeps the git directories read-only.
 */
const DENIED_COMMANDS = [
  'git commit *',
  'git * commit *',
  'git * commit',
  'git push *',
  'git * push *',
  'git * push',
  'claude *',
  '*claude-delegate*',
];

export type ProfileRequest = Pick<
  LaunchRequest,
  'profile' | 'platform' | 'allowHooks' | 'allowWrite' | 'allowDomains' | 'protect'
>;

/**
 * The text of `profile.json`, the settings that the CLI is started with. It is built anew for every launch, resumed
 * ones too, and never read back from the run directory.
 * Throws a BatonError where the text would not parse: the CLI ignores such settings in silence and would run bare.
 */
export function claudeProfile(request: ProfileRequest): string {
  const text = toJsonFile({
    disableClaudeAiConnectors: true,
    // A project's hooks run outside the sandbox, and an implementer may edit their scripts.
    ...(request.allowHooks ? {} : { disableAllHooks: true }),
    ...(request.profile === 'read-only' ? {} : { permissions: permissions(request) }),
    ...(hasSandbox(request) ? { sandbox: sandbox(request) } : {}),
  });
  try {
    JSON.parse(text);
  } catch (error) {
    throw new BatonError('profile', `the profile is not valid JSON: ${messageOf(error)}`, { cause: error });
  }
  return text;
}

/** Native Windows has no shell sandbox, and asking for one would refuse the start. Read-only runs have no shell. */
function hasSandbox({ profile, platform }: ProfileRequest): boolean {
  return profile !== 'read-only' && platform !== 'win32';
}

/**
 * On Windows the shell is PowerShell, and `Bash(…)` rules do not speak of it: the same rules follow under its name.
 * The first eight stay, so that the list is the same everywhere and a shell that comes back is denied too.
 */
function denyRules(platform: NodeJS.Platform): string[] {
  const shells = platform === 'win32' ? ['Bash', 'PowerShell'] : ['Bash'];
  return shells.flatMap((shell) => DENIED_COMMANDS.map((command) => `${shell}(${command})`));
}

/**
 * The sandbox binds the shell only. Write and Edit run beside it: in a run directory below the working directory they
 * were seen to write, and with permissions skipped in `.git` too. An `ask` rule stops them in every mode, since nobody
 * is there to ask; it follows links. `permissions.deny` stays as callers know it.
 */
function permissions({ platform, protect }: ProfileRequest): object {
  const ask = platform === 'win32' ? [] : protect.flatMap(askRules);
  return { deny: denyRules(platform), ...(ask.length > 0 ? { ask } : {}) };
}

/** A rule for the path and one for all below it. `//` begins an absolute path. */
function askRules(path: string): string[] {
  // Escaped special characters were seen not to match. `?` matches any one character: more than the path, never less.
  const pattern = path.replace(/[\\*?[\]{}!#() ]/g, '?');
  return [`Edit(/${pattern})`, `Edit(/${pattern}/**)`];
}

function sandbox({ protect, allowWrite, allowDomains }: ProfileRequest): object {
  return {
    enabled: true,
    failIfUnavailable: true,
    autoAllowBashIfSandboxed: true,
    allowUnsandboxedCommands: false,
    excludedCommands: [],
    // `disabled` in a user's settings would win over its absence: commands then commit, in a sandbox that says it is on.
    filesystem: { disabled: false, denyWrite: [...protect], allowWrite: [...allowWrite] },
    network: { allowedDomains: [...allowDomains] },
  };
}
