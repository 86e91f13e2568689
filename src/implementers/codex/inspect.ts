import { type CommandResult, runCommand } from '../../core/command.ts';
import { readVariable } from '../../core/environment.ts';
import { arrayOf, isObject, objectOf, stringOf } from '../../core/json.ts';
import { lastLines, oneLine, truncate } from '../../core/text.ts';
import { inEmptyFolder } from '../empty-folder.ts';
import { inspectExecutable } from '../executable.ts';
import { executableCheck } from '../executable-check.ts';
import {
  type Check,
  FAILED_MODELS,
  type InspectRequest,
  type Inspection,
  listedModels,
  type Models,
  NO_MODELS,
} from '../inspection.ts';
import { flagsOf } from './features.ts';
import { codexSettings } from './settings.ts';

const NAMES = { name: 'codex', install: 'npm install -g @openai/codex' };
const VERSION = /^codex(?:-cli)? \d+\.\d+\.\d+\S*$/;

/** Looks at the installed CLI as a run would find it. */
export async function inspectCodex(request: InspectRequest): Promise<Inspection> {
  const executable = await inspectExecutable('codex', request, VERSION);
  const checks = [executableCheck(executable, NAMES)];
  if (executable.state !== 'ready' && executable.state !== 'no-version')
    return { executable, authenticated: null, models: NO_MODELS, checks };
  const [login, models, sandbox, settings] = await inEmptyFolder((cwd) => {
    const ask = asking({ ...request, cwd }, executable.path);
    return Promise.all([
      ask(['login', 'status']),
      // Without the flag it may ask its service first. (`codex models` would be a prompt.)
      ask(['debug', 'models', '--bundled']),
      request.platform === 'win32' ? null : ask(['sandbox', '--', 'true']),
      settingsChecks(request, ask),
    ]);
  });
  const authenticated = signedIn(login, settings.provider, request);
  checks.push(
    signInCheck(authenticated, settings.provider),
    ...(sandbox ? sandboxChecks(sandbox) : []),
    ...settings.checks,
  );
  return { executable, authenticated, models: modelsOf(models), checks };
}

type Ask = (args: readonly string[]) => Promise<CommandResult>;

function asking({ cwd, env, limitMs, signal }: InspectRequest, file: string): Ask {
  const maxBytes = 64 * 1024 ** 2; // its catalogue of models has a megabyte
  return (args) => runCommand({ file, args, cwd, env, timeoutMs: limitMs, maxBytes, signal });
}

/**
 * True, false, or null where it cannot be said. The CLI knows its own account only: `codex exec` takes `CODEX_API_KEY`
 * as well (and not `OPENAI_API_KEY`), and a provider of the user's own has a key of its own.
 */
function signedIn(login: CommandResult, provider: string | null, request: InspectRequest): boolean | null {
  if (provider !== null) return null;
  if (readVariable(request.env, 'CODEX_API_KEY', request.platform)) return true;
  if (login.end !== 'exited') return null;
  return loggedIn(`${login.stderr}\n${login.stdout.toString('utf8')}`, login.code === 0);
}

/** Reads the answer of `login status`, which it prints on stderr. "Not logged in" holds "logged in": it comes first. */
export function loggedIn(text: string, exitedWell: boolean): boolean | null {
  if (/not logged in/i.test(text)) return false;
  return exitedWell && /logged in|API key configured/i.test(text) ? true : null;
}

function signInCheck(authenticated: boolean | null, provider: string | null): Check {
  const id = 'signed-in';
  if (provider !== null)
    return {
      id,
      state: 'ok',
      text: `codex uses a provider of yours, ${provider}: whether it lets you in is not known`,
    };
  if (authenticated) return { id, state: 'ok', text: 'codex is signed in' };
  const remedy = 'codex login';
  return authenticated === false
    ? { id, state: 'problem', text: 'codex is not signed in, and CODEX_API_KEY is not set', remedy }
    : { id, state: 'warning', text: 'whether codex is signed in is not known: it does not say', remedy };
}

function modelsOf({ end, code, stdout }: CommandResult): Models {
  if (end !== 'exited' || code !== 0) return FAILED_MODELS;
  const names = catalogueOf(stdout.toString('utf8'));
  return names === null ? FAILED_MODELS : listedModels(names);
}

/** The names in its catalogue, without those that it hides; null where it is none. */
export function catalogueOf(text: string): string[] | null {
  try {
    const catalogue: unknown = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
    if (!isObject(catalogue) || !Array.isArray(catalogue['models'])) return null;
    return arrayOf(catalogue['models'])
      .map(objectOf)
      .filter((model) => model['visibility'] !== 'hide')
      .flatMap((model) => stringOf(model['slug']) ?? []);
  } catch {
    return null;
  }
}

/** Its sandbox is its own, and is tried as it is. An older version does not know the command: then nothing is known. */
function sandboxChecks({ end, code, stderr }: CommandResult): Check[] {
  const id = 'sandbox';
  if (end === 'exited' && code === 0) return [{ id, state: 'ok', text: 'the sandbox of codex works' }];
  if (/^\s*Usage:/m.test(stderr) || end === 'aborted') return [];
  const [said = `it ends with ${code ?? end}`] = lastLines(stderr, 1);
  return [
    {
      id,
      state: 'problem',
      text: `the sandbox of codex does not work: ${truncate(oneLine(said), 200)}`,
      remedy: 'codex sandbox -- true',
    },
  ];
}

async function settingsChecks(
  request: InspectRequest,
  ask: Ask,
): Promise<{ provider: string | null; checks: Check[] }> {
  const { provider, warnings, ruleWarnings } = await codexSettings(request);
  const found =
    ruleWarnings.length === 0 || (await ignoresRules(ask)) ? warnings : [...warnings, ...ruleWarnings];
  const checks = found.map(
    ({ text }): Check => ({
      id: 'settings',
      state: 'warning',
      text,
      remedy: 'take that out of the file, or know that such a run is less closed',
    }),
  );
  return { provider, checks };
}

async function ignoresRules(ask: Ask): Promise<boolean> {
  const help = await ask(['exec', '--help']);
  return (
    help.code === 0 && (flagsOf('exec', help.stdout.toString('utf8')) ?? []).includes('exec --ignore-rules')
  );
}
