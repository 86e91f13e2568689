import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Env } from '../../core/environment.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import { BATON_VERSION } from '../../core/version.ts';

export interface AppServerRequest {
  binary: string;
  cwd: string;
  env: Env;
  limitMs: number;
  method: string;
  params: object;
}

/** What the app server said: the answer, and the warnings about the configuration that it gave on the way. */
export interface AppServerAnswer {
  result: JsonObject;
  warnings: string[];
}

/**
 * Asks codex's app server one thing and ends it. It speaks JSON by lines, and drops what was asked when its stdin is
 * closed, so the answer is waited for. Plugins are off: they would be fetched from the network. No model is asked.
 * Null where there is no answer in time.
 */
export function askAppServer(request: AppServerRequest): Promise<AppServerAnswer | null> {
  const { binary, cwd, env, limitMs, method, params } = request;
  return new Promise((resolve) => {
    const warnings: string[] = [];
    const child = spawn(binary, ['app-server', '-c', 'features.plugins=false'], {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    let answer: AppServerAnswer | null = null;
    const limit = setTimeout(() => endGroup(child.pid), limitMs);
    const leave = (): void => {
      clearTimeout(limit);
      endGroup(child.pid);
      resolve(answer);
    };
    child.on('error', leave);
    child.on('close', leave);
    child.stdin.on('error', () => {}); // it may leave before it has read all
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = parse(line);
      if (message?.['method'] === 'configWarning') warnings.push(textOf(message));
      if (message?.['id'] !== 2) return;
      if (isObject(message['result'])) answer = { result: message['result'], warnings };
      endGroup(child.pid);
    });
    const clientInfo = { name: 'baton', version: BATON_VERSION };
    for (const message of [
      { id: 1, method: 'initialize', params: { clientInfo } },
      { method: 'initialized' },
      { id: 2, method, params },
    ])
      child.stdin.write(`${JSON.stringify(message)}\n`);
  });
}

function parse(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function textOf(message: JsonObject): string {
  const params = isObject(message['params']) ? message['params'] : {};
  return [params['summary'], params['details']].filter((one) => typeof one === 'string').join(' ');
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}
