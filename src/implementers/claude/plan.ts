import { type Env, GIT_LOCAL_VARIABLES, readVariable, withoutVariables } from '../../core/environment.ts';
import { artifactPath } from '../../rundir/layout.ts';
import type { Result } from '../../rundir/result.ts';
import type { LaunchPlan, LaunchRequest } from '../implementer.ts';
import { claudeProfile } from './profile.ts';

/** How a request becomes a command line. Pure: it reads and writes nothing. */
export function planClaude(request: LaunchRequest): LaunchPlan {
  const toolSurface = surface(request);
  const permissionMode = modeOf(request);
  const shellSandbox = sandboxOf(request);
  return {
    file: request.binary,
    args: [
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--tools',
      toolSurface.join(','),
      '--strict-mcp-config',
      '--disallowedTools',
      'mcp__*',
      '--disable-slash-commands',
      '--settings',
      artifactPath(request.runDir, 'profile'),
      // The CLI takes the dangerous flag as a mode of its own: giving both would leave it to guess.
      ...(request.profile === 'bypass'
        ? ['--dangerously-skip-permissions']
        : ['--permission-mode', permissionMode]),
      ...(toolSurface.includes('PowerShell') ? ['--allowedTools', 'PowerShell'] : []),
      ...resumption(request),
      ...dials(request),
      ...outputSchema(request),
    ],
    env: childEnvironment(request.env, request.platform),
    cwd: request.cwd,
    artifacts: [{ name: 'profile', content: claudeProfile(request) }],
    toolSurface,
    permissionMode,
    shellSandbox,
    sandboxRequired: shellSandbox === 'strict',
  };
}

const PERMISSION_MODE = { write: 'acceptEdits', 'read-only': 'plan', bypass: 'bypassPermissions' } as const;

/** Plan mode tells the model to write a plan instead of the answer. The tools alone make a text run read-only. */
function modeOf({ profile, text }: LaunchRequest): string {
  return text === null ? PERMISSION_MODE[profile] : 'default';
}

function surface({ profile, platform, text }: LaunchRequest): string[] {
  if (text?.tools === 'none') return [];
  if (profile === 'read-only') return ['Read', 'Glob', 'Grep'];
  return ['Read', 'Glob', 'Grep', 'Edit', 'Write', platform === 'win32' ? 'PowerShell' : 'Bash'];
}

function sandboxOf({ profile, platform }: LaunchRequest): Result['shellSandbox'] {
  if (profile === 'read-only') return 'not-applicable';
  return platform === 'win32' ? 'unsupported-on-native-windows' : 'strict';
}

function outputSchema({ text }: LaunchRequest): string[] {
  return text === null || text.outputSchema === null ? [] : ['--json-schema', text.outputSchema];
}

function resumption({ resume }: LaunchRequest): string[] {
  if (resume === null) return [];
  return resume.kind === 'last' ? ['--continue'] : ['--resume', resume.id];
}

function dials({ model, effort, maxTurns, maxBudgetUsd, autocompact }: LaunchRequest): string[] {
  return [
    ...(model === null ? [] : ['--model', model]),
    ...(effort === null ? [] : ['--effort', effort]),
    ...(maxTurns === null ? [] : ['--max-turns', String(maxTurns)]),
    ...(maxBudgetUsd === null ? [] : ['--max-budget-usd', maxBudgetUsd]),
    ...(autocompact === null ? [] : ['--autocompact', autocompact]),
  ];
}

/**
 * The environment of the CLI. `CLAUDECODE` goes: with it a nested CLI refuses to start. Every other `CLAUDE_CODE_*`
 * stays, since credentials and providers are among them. The updater is off, unless the user decided otherwise: it has
 * been seen to replace the binary between two runs.
 */
export function childEnvironment(env: Env, platform: NodeJS.Platform): Env {
  const cleaned = withoutVariables(env, ['CLAUDECODE', ...GIT_LOCAL_VARIABLES], platform);
  if (readVariable(cleaned, 'DISABLE_AUTOUPDATER', platform) === undefined)
    cleaned['DISABLE_AUTOUPDATER'] = '1';
  return cleaned;
}
