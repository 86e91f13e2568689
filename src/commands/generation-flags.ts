import type { Command } from '@commander-js/extra-typings';
import { value } from './flags.ts';

/** Adds what `skills generate` and `skills sync` both take. */
export function withGenerationFlags(command: Command) {
  return command
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option('--target <target>', 'for whom: claude, codex or all (default: all)', value)
    .option('--implementer <id>', 'who is asked (default: claude)', value)
    .option('--model <name>', 'model of the implementer', value)
    .option('--effort <level>', 'effort of the model', value)
    .option(
      '--timeout <dur>',
      'limit of each question (default: $BATON_TIMEOUT, else by size: 2m, 5m, 10m or 15m)',
      value,
    )
    .option('--prompts <dir>', 'a folder of prompts that come first (default: your own)', value)
    .option('--dry-run', 'ask, and show what would be written')
    .option('--yes', 'write without asking')
    .option('--force', 'also write over files that a person wrote or edited')
    .option('--json', 'everything as one JSON object');
}

export type GenerationFlags = ReturnType<ReturnType<typeof withGenerationFlags>['opts']>;
