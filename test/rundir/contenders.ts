import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'vite';
import { onTestFinished } from 'vitest';
import { PROJECT } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary.ts';
import type { Attempt } from './contender.ts';

export interface Contender {
  pid: number;
  got: string | null;
  refusal: string | null;
  /** Ends it the hard way, and resolves when it is gone. */
  kill(): Promise<void>;
}

let program: Promise<string> | undefined;

/** Starts one real process for each attempt, lets them all go at one moment, and resolves when all have answered. */
export async function contend(attempts: readonly Attempt[]): Promise<Contender[]> {
  program ??= bundle();
  const file = await program;
  const startSignal = join(temporaryFolder(), 'go');
  const started = attempts.map((attempt) => start(file, attempt, startSignal));
  await Promise.all(started.map(({ lines }) => lines.next()));
  writeFileSync(startSignal, '');
  return Promise.all(
    started.map(async ({ child, lines, gone }) => {
      const answer = await lines.next();
      const { got, refusal } = JSON.parse(answer.value ?? '{"got":null,"refusal":"it died"}');
      const kill = async (): Promise<void> => {
        child.kill('SIGKILL');
        await gone;
      };
      return { pid: child.pid ?? 0, got, refusal, kill };
    }),
  );
}

function start(file: string, attempt: Attempt, startSignal: string): Started {
  const child = spawn(process.execPath, [file, JSON.stringify(attempt), startSignal], {
    env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', TMPDIR: process.env['TMPDIR'] ?? '/tmp' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const gone = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  onTestFinished(async () => {
    child.stdin.end();
    await gone;
  });
  return { child, gone, lines: createInterface(child.stdout)[Symbol.asyncIterator]() };
}

interface Started {
  child: ChildProcess;
  gone: Promise<void>;
  lines: AsyncIterator<string, undefined>;
}

/** The oldest Node that is supported runs no TypeScript: the program is bundled once per test file. */
async function bundle(): Promise<string> {
  const outDir = join(process.env['TMPDIR'] ?? PROJECT, `contender-${process.pid}`);
  await build({
    root: PROJECT,
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: join(PROJECT, 'test', 'rundir', 'contender.ts'),
      outDir,
      emptyOutDir: true,
      rolldownOptions: { output: { entryFileNames: 'contender.mjs' } },
    },
  });
  return join(outDir, 'contender.mjs');
}
