import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { publish } from '../../src/publishing/publish.ts';
import { untilFile } from '../support/baton.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { litter, put, type Scene, scene, skill, snapshot } from './publishing.ts';

const ROUNDS = 40;
const FOLDER = '.claude/skills/billing';

/**
 * Swaps the folder of a skill, and the one above it, for links to the outside and back, until it is ended: each time
 * all at once, by renames.
 */
const SWAPPER = `
const { renameSync, symlinkSync, writeFileSync } = require('node:fs');
const [, outside, ready, ...folders] = process.argv;
for (const folder of folders) symlinkSync(outside, folder + '.link');
writeFileSync(ready, 'swapping');
const nap = new Int32Array(new SharedArrayBuffer(4));
// The folder is missing for a moment, and may then be made anew by somebody else: the game goes on.
const move = (from, to) => { try { renameSync(from, to); } catch {} };
const end = Date.now() + 60_000;
for (let round = 0; Date.now() < end; round += 1) {
  for (const folder of folders) {
    const aside = folder + '.aside' + round;
    move(folder, aside);
    move(folder + '.link', folder);
    move(folder, folder + '.link');
    move(aside, folder);
  }
  Atomics.wait(nap, 0, 0, Math.random() / 5);
}`;

function timesOf(outside: string): bigint[] {
  return [outside, join(outside, 'billing')].map((path) => statSync(path, { bigint: true }).mtimeNs);
}

async function startSwapping(at: Scene): Promise<() => Promise<void>> {
  const ready = join(temporaryFolder(), 'ready');
  mkdirSync(join(at.root, FOLDER), { recursive: true });
  mkdirSync(join(at.outside, 'billing'));
  writeFileSync(join(at.outside, 'SKILL.md'), 'untouched\n');
  const folders = [join(at.root, FOLDER), join(at.root, '.claude/skills')];
  const child = spawn(process.execPath, ['-e', SWAPPER, at.outside, ready, ...folders], {
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: 'ignore',
  });
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await gone;
  };
  onTestFinished(stop);
  await untilFile(ready);
  return stop;
}

it.runIf(process.platform === 'linux')(
  'a process that swaps parents for links all the time leads nothing outside',
  async () => {
    const at = scene();
    const stop = await startSwapping(at);
    // A file that is made and removed again leaves its mark too: the time of its folder.
    const look = () => [snapshot(at.outside), ...timesOf(at.outside)];
    const before = look();
    for (let round = 0; round < ROUNDS; round += 1) {
      const path = `${FOLDER}/${round % 2 === 0 ? 'SKILL.md' : `references/${round}.md`}`;
      // Where the folder of the journal's files cannot be reached in that moment, an error is right as well.
      await publish({
        root: at.root,
        files: [skill(String(round), path)],
        options: { env: at.env, force: true },
        nested: false,
      }).catch(() => null);
    }
    await stop();
    expect(look()).toEqual(before);
  },
  120_000,
);

it('elsewhere such a swap is noticed afterwards, and said', async () => {
  const at = scene();
  put(at.root, { [`${FOLDER}/keep`]: '' });
  let swapped = false;
  const outcome = await publish({
    root: at.root,
    files: [skill()],
    options: { env: at.env },
    nested: false,
    platform: 'darwin',
    onStep: (step) => {
      if (step !== 'linked' || swapped) return;
      swapped = true;
      const folder = join(at.root, FOLDER);
      // What was staged comes along, so that nothing fails on the way.
      renameSync(folder, `${folder}.real`);
      cpSync(`${folder}.real`, join(at.outside, 'billing'), { recursive: true });
      symlinkSync(join(at.outside, 'billing'), folder);
    },
  });
  expect(outcome.files[0]).toMatchObject({
    status: 'skipped',
    reason: expect.stringMatching(/replaced while it was written: it may have been written elsewhere/),
  });
  expect(readFileSync(join(at.outside, 'victim'), 'utf8')).toBe('untouched\n');
  expect(litter(join(at.root, FOLDER))).toEqual([]);
});
