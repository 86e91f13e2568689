import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'vite';
import { beforeAll, onTestFinished } from 'vitest';
import { plainEnv } from '../evidence/watching.ts';
import { PROJECT } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary.ts';
import type { Attempt } from './interrupted.ts';

let file = '';

beforeAll(async () => {
  const outDir = temporaryFolder();
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      // One file that the oldest Node, which reads no TypeScript, can run.
      ssr: join(PROJECT, 'test', 'publishing', 'interrupted.ts'),
      outDir,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'program.mjs' } },
    },
    ssr: { noExternal: true },
  });
  file = join(outDir, 'program.mjs');
});

/** How a process ended: `step` is the one at which it died, `steps` how many it did. */
export interface Interrupted {
  signal: NodeJS.Signals | null;
  step: string;
  steps: number;
}

/** Makes the attempt in a process of its own. Rejects where that fails otherwise than by a kill. */
export function interrupt(attempt: Attempt): Promise<Interrupted> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, JSON.stringify(attempt)], {
      env: plainEnv(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const said = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (signal || code === 0) resolve({ signal, step: said.err, steps: Number(said.out) });
      else reject(new Error(said.err));
    });
  });
}
