import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleModules } from './bundle.mjs';
import { interleave, medians, runProgram, timeCommand } from './measure.mjs';
import { makeRepository } from './world.mjs';

const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), 'snapshot-program.mjs');

/** What the evidence costs in a large repository, against the least that anyone pays to know its state. */
export async function benchSnapshot(world, { quick }) {
  const count = quick ? 10_000 : 100_000;
  const modules = join(world.root, 'modules');
  await bundleModules(modules, { observe: 'evidence/observe.ts', locate: 'git/locate.ts' });
  const cwd = makeRepository(world, 'large', count);
  const runDir = join(world.root, 'runs', 'snapshot');

  const status = () =>
    timeCommand('git', ['-C', cwd, 'status', '--porcelain', '-uall'], { cwd, env: world.env });
  const snapshot = () => {
    const times = runProgram(PROGRAM, [modules, cwd, runDir], { env: world.env });
    rmSync(runDir, { recursive: true });
    execFileSync('git', ['-C', cwd, 'checkout', '-q', '--', '.'], { env: world.env });
    return times;
  };
  const measured = await interleave({ status, snapshot }, 7);
  const floor = medians(measured.status).wall;
  const { before, after } = medians(measured.snapshot);
  const row = (name, ms, goal) => ({
    name: `${name}, ${count} files`,
    value: ms / floor,
    unit: '× git status',
    goal,
    detail: `${ms.toFixed(0)} ms`,
  });
  return [
    row('git status, warm', floor, null),
    row('before-snapshot and boundary', before, 2),
    row('after-snapshot, boundary, patch', after, 2),
  ];
}
