import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from './bundle.mjs';
import { writeEvents } from './events.mjs';
import { timeCommand } from './measure.mjs';
import { MAX_PEAK_MIB, peakRow } from './stream.mjs';
import { makeFake, makeRepository } from './world.mjs';

/** The whole command around an implementer that prints that much at once. Its memory is asked of itself as it leaves. */
export async function benchWhole(world, { quick }) {
  const megabytes = quick ? 50 : 1000;
  const events = join(world.root, 'events.jsonl');
  writeEvents(events, megabytes * 1_000_000);
  makeFake(world, `cat >/dev/null\ncat '${events}'`);
  const cd = makeRepository(world, 'streaming', 10);
  const peakFile = join(world.root, 'peak.txt');
  const env = {
    ...world.env,
    BENCH_PEAK_FILE: peakFile,
    NODE_OPTIONS: `--require=${join(PROJECT, 'bench', 'report-peak.cjs')}`,
  };
  const brief = join(PROJECT, 'bench', 'README.md');
  const args = ['dispatch', '--brief', brief, '--cd', cd, '--out-dir', join(world.root, 'runs', 'whole')];
  const { wall } = timeCommand(process.execPath, [join(PROJECT, 'bin', 'baton.js'), ...args], {
    cwd: world.root,
    env,
  });
  const row = peakRow(
    `a whole dispatch, ${megabytes} MB`,
    Number(readFileSync(peakFile, 'utf8')),
    MAX_PEAK_MIB,
  );
  return [{ ...row, detail: `${(wall / 1000).toFixed(1)} s wall` }];
}
