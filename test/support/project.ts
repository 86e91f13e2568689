import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top of this project. */
export const PROJECT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What the build makes and tests run: by name, absolute. */
export const BUILT = {
  main: join(PROJECT, 'dist', 'cli', 'main.cjs'),
  library: join(PROJECT, 'lib', 'index.js'),
  scripted: join(PROJECT, 'dist', 'cli', 'scripted.cjs'),
  activation: join(PROJECT, 'dist', 'hooks', 'baton-activation.cjs'),
  relay: join(PROJECT, 'skills', 'delegate', 'scripts', 'claude-relay.mjs'),
  codexRelay: join(PROJECT, 'skills', 'delegate', 'scripts', 'codex-relay.mjs'),
} as const;
