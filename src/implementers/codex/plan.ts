import type { Env } from '../../core/environment.ts';
import { toJsonFile } from '../../core/json.ts';
import { artifactPath } from '../../rundir/layout.ts';
import type { Result } from '../../rundir/result.ts';
import type { LaunchPlan, LaunchRequest } from '../implementer.ts';
import { SANDBOX_MODE, toml, writableRoots } from './sandbox.ts';

/** How a request becomes a command line. Pure: it reads and writes nothing. */
export function planCodex(request: LaunchRequest): LaunchPlan {
  const { writable, gaps } = writableRoots(request);
  const overrides = configuration(request, writable);
  const isWrite = request.profile === 'write';
  const schema = request.text?.outputSchema ?? null;
  return {
    file: request.binary,
    args: ['exec', ...commandLine(request, overrides), '-'],
    env: childEnvironment(request),
    cwd: request.cwd,
    artifacts: [
      { name: 'profile', content: profile(request, overrides) },
      ...(schema === null ? [] : [{ name: 'outputSchema' as const, content: schema }]),
    ],
    // Codex has no list of tools: what holds is the sandbox.
    toolSurface: [],
    permissionMode: SANDBOX_MODE[request.profile],
    shellSandbox: sandboxOf(request),
    // Codex does not say whether its sandbox is on; without one its commands fail.
    sandboxRequired: false,
    gaps: isWrite ? gaps : [],
  };
}

/**
 * `[-s MODE] …` for a fresh run, `[-s MODE] … resume <id> …` for a resumed one. Without a sandbox a resumed session would
 * be read-only, or what the settings say: it always gets one. `-s` is no flag of `resume` and must stand before it.
 */
function commandLine(request: LaunchRequest, overrides: readonly string[]): string[] {
  const { resume, model, ephemeral, skipGitRepoCheck = false, runDir, text } = request;
  const mode = SANDBOX_MODE[request.profile];
  const asksNobody = takes(request, 'exec', '--ask-for-approval') ? [['--ask-for-approval', 'never']] : [];
  const wide = [
    [jsonFlag(request)],
    ...lastMessage(request),
    ...(model === null ? [] : [['-m', model]]),
    ...overrides.map((override) => ['-c', override]),
    ...(ephemeral ? [['--ephemeral']] : []),
    ...(skipGitRepoCheck ? [['--skip-git-repo-check']] : []),
    ...(takes(request, 'exec', '--ignore-rules') ? [['--ignore-rules']] : []),
    ...((text?.outputSchema ?? null) === null
      ? []
      : [['--output-schema', artifactPath(runDir, 'outputSchema')]]),
    ...asksNobody,
  ];
  if (resume === null) {
    const first = 1 + lastMessage(request).length;
    return [...wide.slice(0, first).flat(), '-s', mode, ...wide.slice(first).flat()];
  }
  const sandboxFlag = sandboxByFlag(request) ? ['-s', mode] : [];
  const [after, before] = split(wide, ([flag = '']) => takes(request, 'resume', flag));
  return [
    ...sandboxFlag,
    ...before,
    'resume',
    ...(resume.kind === 'last' ? ['--last'] : [resume.id]),
    ...after,
  ];
}

/** For a time the events of today had this name, and `--json` was an older form, in which no success is told. */
function jsonFlag(request: LaunchRequest): string {
  return takes(request, 'exec', '--experimental-json') ? '--experimental-json' : '--json';
}

/** The short flag is younger than the long one. Without either, the text of the stream is all there is. */
function lastMessage(request: LaunchRequest): string[][] {
  const flag = ['-o', '--output-last-message'].find((one) => takes(request, 'exec', one));
  return flag === undefined ? [] : [[flag, artifactPath(request.runDir, 'final')]];
}

/** Without a help text: what every version of the last year takes. */
const USUAL = new Set(
  ['exec', 'resume'].flatMap((command) =>
    ['--json', '-o', '-m', '-c', '--skip-git-repo-check'].map((flag) => `${command} ${flag}`),
  ),
);

function takes({ features = [] }: LaunchRequest, command: 'exec' | 'resume', flag: string): boolean {
  const known = features.some((feature) => feature.startsWith(`${command} `));
  return known ? features.includes(`${command} ${flag}`) : USUAL.has(`${command} ${flag}`);
}

/** `-c sandbox_mode` is understood by every version; the flag only by those that list it. */
function sandboxByFlag({ profileAsked = false, features = [] }: LaunchRequest): boolean {
  return profileAsked && features.includes('exec --sandbox');
}

function split<T>(all: readonly T[], belongs: (one: T) => boolean): [string[], string[]] {
  const flat = (part: readonly T[]): string[] => part.flat().map(String);
  return [flat(all.filter(belongs)), flat(all.filter((one) => !belongs(one)))];
}

/** What `-c` sets, over the user's own settings. The effort is the first. */
function configuration(request: LaunchRequest, writable: readonly string[]): string[] {
  const { effort, profile, resume, allowHooks, features = [], text } = request;
  const mcpServers = features
    .filter((feature) => feature.startsWith('mcp '))
    .map((feature) => feature.slice(4));
  return [
    ...(effort === null ? [] : [`model_reasoning_effort=${effort}`]),
    ...(resume !== null && !sandboxByFlag(request) ? [`sandbox_mode=${toml(SANDBOX_MODE[profile])}`] : []),
    // A trusted hook runs outside the sandbox, from a script that the implementer may have rewritten.
    ...(allowHooks ? [] : ['features.hooks=false']),
    ...(profile === 'write'
      ? [
          // With them a commit went through from a subdirectory of a repository below /tmp.
          'sandbox_workspace_write.exclude_slash_tmp=true',
          'sandbox_workspace_write.exclude_tmpdir_env_var=true',
          // Also when it is empty: the user's own roots would go along.
          `sandbox_workspace_write.writable_roots=${toml(writable)}`,
        ]
      : []),
    ...withoutServers(mcpServers),
    ...(text?.tools === 'none' ? ['features.shell_tool=false'] : []),
  ];
}

/** One value, not a key for each: keys are split at every dot, whatever the quotes, and a second value replaces the first. */
function withoutServers(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [`mcp_servers={${names.map((name) => `${toml(name)}={enabled=false}`).join(',')}}`];
}

function sandboxOf({ profile, platform }: LaunchRequest): Result['shellSandbox'] {
  if (profile === 'bypass') return 'not-applicable';
  return platform === 'win32' ? 'unsupported-on-native-windows' : 'strict';
}

/** What commands of the run take for the temp folder is the one that they may write. */
function childEnvironment({ env, tempDir, platform }: LaunchRequest): Env {
  if (!tempDir) return env;
  return platform === 'win32' ? { ...env, TEMP: tempDir, TMP: tempDir } : { ...env, TMPDIR: tempDir };
}

/** For people, and for `baton show`: codex itself is given it as flags. */
function profile(request: LaunchRequest, overrides: readonly string[]): string {
  return toJsonFile({ sandbox: SANDBOX_MODE[request.profile], configuration: overrides });
}
