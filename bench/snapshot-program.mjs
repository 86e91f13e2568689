// Observes a working tree as a dispatch does, before and after a run that changed one file, and prints the times.
// Arguments: the folder with the bundled modules of src, the working tree, a new run directory.

import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, cwd, runDir] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(join(modules, `${name}.mjs`)).href);
const { observe } = await load('observe');
const { locateRepository } = await load('locate');
mkdirSync(runDir);

const timed = async (work) => {
  const started = performance.now();
  const value = await work();
  return [performance.now() - started, value];
};
const env = { ...process.env };
const repository = await locateRepository(cwd, env, 120_000);
const [before, observation] = await timed(() =>
  observe({
    repository,
    cwd,
    runDir,
    profile: 'write',
    touch: [],
    env,
    limits: { maxUntrackedBytes: 50 * 1024 * 1024, gitTimeoutMs: 120_000 },
  }),
);
appendFileSync(join(cwd, 'd0', 'e0', 'file-0.txt'), 'one more line\n');
const [after, report] = await timed(() =>
  observation.after({ killed: false, possible: () => true, gaps: [] }),
);
const { changes, coverage } = report.evidence;
if (changes.length !== 1)
  throw new Error(`expected one change, saw ${changes.length}; gaps: ${coverage.gaps.join('; ')}`);
console.log(JSON.stringify({ before, after }));
