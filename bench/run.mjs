// `npm run bench`: what baton adds, measured side by side with a baseline in the same minutes. Nothing is asserted.
//
//   npm run bench                        everything: about ten minutes and 3 GB of temporary files
//   npm run bench -- --quick             smaller: about one minute
//   npm run bench -- --only stream       one of: commands, hook, stream, whole, snapshot
//   npm run bench -- --json              the rows as JSON

import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { benchCommands } from './commands.mjs';
import { benchHook } from './hook.mjs';
import { benchSnapshot } from './snapshot.mjs';
import { benchStream } from './stream.mjs';
import { formatTable, verdictOf } from './table.mjs';
import { benchWhole } from './whole.mjs';
import { makeWorld } from './world.mjs';

const BENCHES = {
  commands: benchCommands,
  hook: benchHook,
  stream: benchStream,
  whole: benchWhole,
  snapshot: benchSnapshot,
};

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const names = options.only === undefined ? Object.keys(BENCHES) : [options.only];
const unknown = names.filter((name) => !(name in BENCHES));
if (unknown.length > 0)
  throw new Error(`--only ${unknown[0]} is not one of ${Object.keys(BENCHES).join(', ')}`);

const machine = `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`;
const rows = [];
for (const name of names) {
  console.error(`${name} …`);
  const world = makeWorld();
  try {
    rows.push(...(await BENCHES[name](world, options)).map((row) => ({ bench: name, ...row })));
  } catch (error) {
    // What was measured before, and what comes after, is worth having all the same.
    console.error(error);
    process.exitCode = 1;
  } finally {
    world.remove();
  }
}
console.log(
  options.json
    ? JSON.stringify(
        { machine, rows: rows.map((row) => ({ ...row, verdict: verdictOf(row) || null })) },
        null,
        2,
      )
    : `\n${machine}\nmedians of interleaved runs; lower is better\n\n${formatTable(rows)}`,
);
