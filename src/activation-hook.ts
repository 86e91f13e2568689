import { writeSync } from 'node:fs';
import { copyEnv } from './core/environment.ts';
import { messageOf } from './core/errors.ts';
import { activate } from './skills/activation/activate.ts';
import { readBounded } from './skills/activation/input.ts';

// A hook must never stand in a person's way: whatever goes wrong, it says nothing and exits with 0.
try {
  const [, script = '', marker = ''] = process.argv;
  const input = readBounded(0);
  const output =
    input === null ? null : activate({ script, marker, input, env: copyEnv(process.env), debug });
  if (output !== null) writeSync(1, output);
} catch (error) {
  debug(messageOf(error));
}

/** Only where somebody asked: some products show a person whatever a hook prints. */
function debug(text: string): void {
  if (!process.env['BATON_DEBUG']) return;
  try {
    writeSync(2, `baton-activation: ${text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')}\n`);
  } catch {
    // Nobody reads it.
  }
}
