import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished } from 'vitest';
import type { Env } from '../../src/core/environment.ts';
import { until } from './baton.ts';
import { quote } from './fake.ts';

/** A program on a terminal of its own, at which a test sits. */
export interface Terminal {
  /** All that was shown, without colours and movements of the cursor. */
  shown(): string;
  /** Waits until this is shown, after what was typed last. */
  showing(text: string): Promise<void>;
  type(keys: string): void;
  ended: Promise<number | null>;
}

export const KEYS = {
  enter: '\r',
  down: '\u001b[B',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  tab: '\t',
  ctrlU: '\u0015',
} as const;

/** Starts a program on a terminal of 40 lines and 200 columns. Should the test end before it does, it is killed. */
export function onTerminal(command: readonly string[], { cwd, env }: { cwd: string; env: Env }): Terminal {
  const path = env['PATH'] ?? '';
  const line = `stty rows 40 cols 200; PATH=${quote(path)} exec ${command.map(quote).join(' ')}`;
  // `script` gives it the terminal, and hangs up when it is killed itself.
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    cwd,
    env: { TERM: 'xterm', ...env, PATH: `${path}:/usr/bin:/bin` },
    stdio: 'pipe',
  });
  let all = '';
  let hasEnded = false;
  let typedAt = 0;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (all += chunk));
  child.stdin.on('error', () => {}); // it may leave before the last key
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
  void ended.catch(() => {}).then(() => (hasEnded = true));
  onTestFinished(() => void child.kill('SIGKILL'));
  const plain = (text: string): string => stripVTControlCharacters(text).replaceAll('\r', '');
  return {
    shown: () => plain(all),
    showing: async (text) => {
      const isShown = (): boolean => plain(all.slice(typedAt)).includes(text);
      await until(`${JSON.stringify(text)} on the terminal`, () => isShown() || hasEnded);
      if (!isShown()) throw new Error(`it ended, and had shown only:\n${plain(all)}`);
    },
    type: (keys) => {
      typedAt = all.length;
      child.stdin.write(keys);
    },
    ended,
  };
}
