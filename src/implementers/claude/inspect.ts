import { runCommand } from '../../core/command.ts';
import { isObject } from '../../core/json.ts';
import { inEmptyFolder } from '../empty-folder.ts';
import { inspectExecutable } from '../executable.ts';
import { executableCheck } from '../executable-check.ts';
import { type Check, type InspectRequest, type Inspection, NO_MODELS } from '../inspection.ts';
import { childEnvironment } from './plan.ts';
import { sandboxParts } from './sandbox-parts.ts';
import { managedFolder, settingsWarnings } from './settings.ts';

export const CLAUDE_NAMES = { name: 'claude', install: 'npm install -g @anthropic-ai/claude-code' };
const VERSION = /^\d+\.\d+\.\d+\S* \(Claude Code\)$/;

/** Looks at the installed CLI as a run would find it. It has no command that lists models. */
export async function inspectClaude(request: InspectRequest): Promise<Inspection> {
  const env = {
    ...childEnvironment(request.env, request.platform),
    // Otherwise even its `auth status` looks up a name of the vendor's.
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
  const asked = { ...request, env };
  const executable = await inspectExecutable('claude', asked, VERSION);
  const checks = [executableCheck(executable, CLAUDE_NAMES)];
  if (executable.state !== 'ready' && executable.state !== 'no-version')
    return { executable, authenticated: null, models: NO_MODELS, checks };
  const [authenticated, parts] = await Promise.all([signedIn(executable.path, asked), sandboxParts(asked)]);
  checks.push(signInCheck(authenticated), ...parts, ...settingsChecks(request));
  return { executable, authenticated, models: NO_MODELS, checks };
}

/**
 * True, false, or null where it does not say. It answers in JSON, also with a non-zero exit, and counts whatever a run
 * would use: an account, `ANTHROPIC_API_KEY`, `ANTHROPIC_AUTH_TOKEN`, `CLAUDE_CODE_OAUTH_TOKEN`, an `apiKeyHelper`,
 * Bedrock and Vertex. The flag keeps a version without this command from taking the words for a prompt.
 */
async function signedIn(binary: string, request: InspectRequest): Promise<boolean | null> {
  const answer = await inEmptyFolder((cwd) =>
    runCommand({
      file: binary,
      args: ['auth', 'status', '--json'],
      cwd,
      env: request.env,
      timeoutMs: request.limitMs,
      maxBytes: 1024 ** 2,
      signal: request.signal,
    }),
  );
  return answer.end === 'exited' ? loggedIn(answer.stdout.toString('utf8')) : null;
}

/** Reads the answer of `auth status`, from around which a wrapper may print lines of its own. */
export function loggedIn(text: string): boolean | null {
  try {
    const status: unknown = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
    const value = isObject(status) ? status['loggedIn'] : undefined;
    return typeof value === 'boolean' ? value : null;
  } catch {
    return null;
  }
}

function signInCheck(authenticated: boolean | null): Check {
  const id = 'signed-in';
  if (authenticated) return { id, state: 'ok', text: 'claude is signed in' };
  const remedy = 'claude auth login';
  return authenticated === false
    ? { id, state: 'problem', text: 'claude is not signed in, and no API key is set', remedy }
    : { id, state: 'warning', text: 'whether claude is signed in is not known: it does not say', remedy };
}

function settingsChecks({ env, cwd, platform }: InspectRequest): Check[] {
  return settingsWarnings({ env, cwd, platform, managedFolder: managedFolder(platform) }).map(({ text }) => ({
    id: 'settings',
    state: 'warning',
    text,
    remedy: 'take that out of the file, or know that such a run is less closed',
  }));
}
