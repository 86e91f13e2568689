import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { parse, quiet } from './commands/parse.ts';
import { configureDispatch } from './commands/dispatch.ts';
import { newRunId } from './core/ids.ts';
import { processIo } from './process-io.ts';

// The drop-in for callers of the existing relay: the dispatch command alone, with its run directory under the temp folder.
const io = processIo();
const command = quiet(new Command('codex-relay.mjs'), io);
configureDispatch(
  command,
  io,
  { implementer: 'codex', outDir: join(tmpdir(), `codex-relay-${newRunId()}`) },
  (code) => (process.exitCode = code),
);
process.exitCode = (await parse(command, process.argv.slice(2), io)) ?? process.exitCode ?? 0;
