import { join } from 'node:path';
import { arrayOf, isObject, type JsonObject, objectOf, stringOf } from '../../core/json.ts';
import { askAppServer, type AppServerAnswer } from '../../implementers/codex/ask-app-server.ts';
import { which } from '../../process/which.ts';
import { findTarget } from '../../targets/target.ts';
import { type HookState, type HookStatus, type StatusRequest, withoutNetwork } from './hook-state.ts';
import { hooksInFile, type InFile } from './in-file.ts';

/** What codex itself says of our hooks: its app server lists them with the trust of each, without a model. */
export async function codexHookStatus(request: StatusRequest): Promise<HookStatus> {
  const { root, env, platform, limitMs } = request;
  const target = findTarget('codex');
  const inFile = hooksInFile(root, target);
  if (inFile.state === 'absent') return status('absent', 'files', []);
  const binary = which('codex', env, { platform });
  if (binary === null)
    return byFiles(inFile, 'codex is not on PATH: whether it trusts the hooks is not known');
  const answer = await askAppServer({
    binary,
    cwd: root,
    env: withoutNetwork(env),
    limitMs,
    method: 'hooks/list',
    params: { cwds: [root] },
  });
  if (answer === null)
    return byFiles(inFile, 'codex did not answer: whether it trusts the hooks is not known');
  return judge(answer, inFile, join(root, target.settings), root);
}

/** One hook, as `hooks/list` has it. */
interface Listed {
  command: string | null;
  enabled: boolean;
  trust: string | null;
  key: string | null;
  hash: string | null;
}

function judge(answer: AppServerAnswer, inFile: InFile, path: string, root: string): HookStatus {
  const entry = objectOf(arrayOf(answer.result['data'])[0]);
  const refused = [...arrayOf(entry['warnings']), ...arrayOf(entry['errors']).map(errorText)]
    .filter((one) => typeof one === 'string')
    .filter((text) => text.includes(path));
  if (refused.length > 0) return status('file-ignored', 'cli', refused);
  const missing = inFile.detail === null ? [] : [inFile.detail];
  const ours = arrayOf(entry['hooks'])
    .filter(isObject)
    .filter((hook) => hook['sourcePath'] === path)
    .map(listed)
    .filter(({ command }) => command !== null && inFile.commands.includes(command));
  if (ours.length === 0) {
    if (inFile.state === 'unreadable') return status('file-ignored', 'files', missing);
    return answer.warnings.some((text) => text.includes('trusted project'))
      ? status('not-trusted', 'cli', [`codex does not trust the project ${root}`, ...missing])
      : status('disabled', 'cli', [
          'codex lists no hook of the project: hooks are off (features.hooks)',
          ...missing,
        ]);
  }
  const untrusted = ours.filter(({ trust }) => trust !== 'trusted' && trust !== 'managed');
  if (untrusted.length > 0) return status('not-trusted', 'cli', [...untrusted.map(trustText), ...missing]);
  if (ours.some(({ enabled }) => !enabled))
    return status('disabled', 'cli', ['a person turned a hook off in codex (/hooks)', ...missing]);
  return status(inFile.state === 'all' ? 'in-force' : 'absent', 'cli', missing);
}

function listed(hook: JsonObject): Listed {
  return {
    command: stringOf(hook['command']),
    enabled: hook['enabled'] !== false,
    trust: stringOf(hook['trustStatus']),
    key: stringOf(hook['key']),
    hash: stringOf(hook['currentHash']),
  };
}

function trustText({ key, hash, trust }: Listed): string {
  const why = trust === 'modified' ? 'was changed since it was trusted' : 'is not trusted yet';
  return `the hook ${key ?? '?'} ${why} (its hash now: ${hash ?? 'unknown'})`;
}

function errorText(error: unknown): string {
  const { path, message } = objectOf(error);
  return `${stringOf(path) ?? ''}: ${stringOf(message) ?? ''}`;
}

/** Without the CLI: no hook of a project counts until a person trusts it, and where that is written is codex's own. */
function byFiles(inFile: InFile, why: string): HookStatus {
  const details = [why, ...(inFile.detail === null ? [] : [inFile.detail])];
  return status(inFile.state === 'unreadable' ? 'file-ignored' : 'not-trusted', 'files', details);
}

function status(state: HookState, source: HookStatus['source'], details: string[]): HookStatus {
  return { target: 'codex', state, source, details };
}
