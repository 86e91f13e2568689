import { runCli } from './commands/cli.ts';
import { processIo } from './process-io.ts';

// The exit code is set, never forced: a large `--json` must drain into a slow pipe before the process leaves.
// 0 does not take the place of what output that was lost has set.
void runCli(process.argv.slice(2), processIo()).then((code) => {
  process.exitCode = code || process.exitCode;
});
