import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'vite';
import { beforeAll } from 'vitest';
import type { Env } from '../../src/core/environment.ts';
import { PROJECT } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { plainEnv } from '../evidence/watching.ts';
import type { Attempt } from './interrupted.ts';

let file = '';

beforeAll(async () => {
  file = await bundle();
});

/** Runs the attempt in a process of its own, and with `afterMs` kills it then, wherever it is. Resolves with the signal that ended it: null when it came to its end. */
export function interrupt(
  attempt: Attempt,
  env: Env = plainEnv(),
  afterMs?: number,
): Promise<NodeJS.Signals | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, JSON.stringify(attempt)], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (afterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), afterMs);
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.once('error', reject);
    // Not `close`: a hook that lives on holds no pipe, but might.
    child.once('exit', (code, signal) => (signal || code === 0 ? resolve(signal) : reject(new Error(said))));
  });
}

/** One file that the oldest Node, which reads no TypeScript, can run. */
async function bundle(): Promise<string> {
  const outDir = temporaryFolder();
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: join(PROJECT, 'test', 'landing', 'interrupted.ts'),
      outDir,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'program.mjs' } },
    },
    ssr: { noExternal: true },
  });
  return join(outDir, 'program.mjs');
}
