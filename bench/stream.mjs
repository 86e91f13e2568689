import { rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleModules } from './bundle.mjs';
import { writeEvents } from './events.mjs';
import { interleave, medians, runProgram } from './measure.mjs';

const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), 'stream-program.mjs');
const WAYS = ['floor', 'stream', 'events', 'pulled'];
const NAMES = {
  floor: 'floor: block reads, LF, JSON.parse',
  stream: 'bytes to records, as a dispatch reads',
  events: 'bytes to events, as a dispatch reads',
  pulled: 'bytes to records, as the library iterates',
};
export const MAX_PEAK_MIB = 120;

/** Reading a long run: how fast, and in how much memory. */
export async function benchStream(world, { quick }) {
  const modules = join(world.root, 'modules');
  await bundleModules(modules, {
    'file-follower': 'stream/file-follower.ts',
    'record-stream': 'stream/record-stream.ts',
    'follow-records': 'stream/follow-records.ts',
    'claude-events': 'implementers/claude/events.ts',
  });
  const sizes = quick ? [50] : [200, 1000];
  const rows = [];
  for (const megabytes of sizes) {
    const file = join(world.root, `events-${megabytes}.jsonl`);
    writeEvents(file, megabytes * 1_000_000);
    const read = (way) => () => runProgram(PROGRAM, [way, file, modules], { env: world.env });
    const measured = await interleave(
      Object.fromEntries(WAYS.map((way) => [way, read(way)])),
      megabytes > 500 ? 3 : 7,
    );
    rows.push(...rowsOf(file, megabytes, measured));
    rmSync(file);
  }
  return rows;
}

function rowsOf(file, megabytes, measured) {
  const values = Object.fromEntries(WAYS.map((way) => [way, medians(measured[way])]));
  const { size } = statSync(file);
  return WAYS.flatMap((way) => {
    const { ms, records, peakBytes } = values[way];
    const what = `${NAMES[way]}, ${megabytes} MB`;
    const goal = way === 'stream' ? 1.3 : null;
    return [
      {
        name: what,
        value: ms / values.floor.ms,
        unit: '× floor',
        goal,
        detail: `${(size / 1e6 / (ms / 1000)).toFixed(0)} MB/s, ${records} records`,
      },
      peakRow(what, peakBytes, way === 'floor' ? null : MAX_PEAK_MIB),
    ];
  });
}

/** A row for a peak in bytes, shown in MiB. */
export function peakRow(what, bytes, goal) {
  return { name: `peak memory: ${what}`, value: bytes / 1024 ** 2, unit: 'MiB', goal, detail: '' };
}
