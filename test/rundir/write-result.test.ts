import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { systemCode } from '../../src/core/errors.ts';
import { newRunId } from '../../src/core/ids.ts';
import { createRunDirectory, type RunDirectory } from '../../src/rundir/directory.ts';
import { readResult } from '../../src/rundir/read-result.ts';
import { writeResult } from '../../src/rundir/write-result.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { exampleResult } from './example.ts';

function makeRun(outDir: string | null = null): RunDirectory {
  const root = temporaryFolder();
  const run = createRunDirectory({
    stateHome: join(root, 'state'),
    treeTop: root,
    outDir,
    runId: newRunId(),
  });
  onTestFinished(() => run.close());
  return run;
}

const refusal = (reason: string) =>
  expect.objectContaining({ code: 'result-not-written', message: expect.stringContaining(reason) });

describe('result.json', () => {
  let run: RunDirectory;
  beforeEach(() => {
    run = makeRun();
  });

  it('is written whole, for us alone, with nothing left beside it, and read back the same', () => {
    const result = exampleResult({ runId: run.id });
    writeResult(run.path, result);
    expect(readResult(run.path)).toEqual(result);
    expect(statSync(join(run.path, 'result.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(run.path).sort()).toEqual(['.reserve', 'result.json', 'run.json']);
  });

  it('is replaced by the second result of an abort', () => {
    writeResult(run.path, exampleResult({ runId: run.id, status: 'aborted', exitCode: 130 }));
    writeResult(
      run.path,
      exampleResult({ runId: run.id, status: 'aborted', exitCode: 130, finalMessage: 'more' }),
    );
    expect(readResult(run.path).finalMessage).toBe('more');
  });

  it('is valid UTF-8 whatever the implementer said', () => {
    writeResult(
      run.path,
      exampleResult({ runId: run.id, finalMessage: 'half a \ud83d pair, \0 and \u2028' }),
    );
    const bytes = readFileSync(join(run.path, 'result.json'));
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).not.toThrow();
    expect(readResult(run.path).finalMessage).toBe('half a \ud83d pair, \0 and \u2028');
  });

  it('replaces a link that was planted in its place, and does not follow it', () => {
    const victim = join(temporaryFolder(), 'victim');
    writeFileSync(victim, 'precious');
    symlinkSync(victim, join(run.path, 'result.json'));
    writeResult(run.path, exampleResult({ runId: run.id }));
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    expect(readResult(run.path).runId).toBe(run.id);
  });

  it('is absent with a reason when the run directory was removed, which is not made again', () => {
    rmSync(run.path, { recursive: true });
    expect(() => writeResult(run.path, exampleResult({ runId: run.id }))).toThrow(refusal('removed'));
    expect(existsSync(run.path)).toBe(false);
  });

  it('is not written into a directory that another run has now', () => {
    expect(() => writeResult(run.path, exampleResult({ runId: newRunId() }))).toThrow(refusal(run.id));
    expect(existsSync(join(run.path, 'result.json'))).toBe(false);
  });

  it('is absent with a reason when a folder has its name', () => {
    mkdirSync(join(run.path, 'result.json'));
    expect(() => writeResult(run.path, exampleResult({ runId: run.id }))).toThrow(refusal('directory'));
    expect(readdirSync(run.path).sort()).toEqual(['.reserve', 'result.json', 'run.json']);
  });
});

describe('on a full disk', () => {
  it('is still written: the reserve makes room', (context) => {
    const run = makeRun(join(smallDisk(context), 'run'));
    fill(run.path);
    writeResult(run.path, exampleResult({ runId: run.id, finalMessage: 'x'.repeat(500_000) }));
    expect(readResult(run.path).runId).toBe(run.id);
    expect(existsSync(join(run.path, '.reserve'))).toBe(false);
  });

  it('is whole or absent: one that does not fit leaves the older one, and nothing else', (context) => {
    const run = makeRun(join(smallDisk(context), 'run'));
    const first = exampleResult({ runId: run.id });
    writeResult(run.path, first);
    fill(run.path);
    const tooLarge = exampleResult({ runId: run.id, finalMessage: 'x'.repeat(2_000_000) });
    expect(() => writeResult(run.path, tooLarge)).toThrow(refusal('the disk is full'));
    expect(readResult(run.path)).toEqual(first);
    expect(readdirSync(run.path).sort()).toEqual(['filler', 'result.json', 'run.json']);
  });

  it('a run can start, and its directory takes no reserve that it cannot have', (context) => {
    const disk = smallDisk(context);
    writeFileSync(join(disk, 'other'), Buffer.alloc(3.5 * 1024 ** 2));
    const run = makeRun(join(disk, 'run'));
    expect(readdirSync(run.path)).toEqual(['run.json']);
    writeResult(run.path, exampleResult({ runId: run.id }));
  });

  it('a directory cannot be used where not even run.json fits, and the reason is said', (context) => {
    const disk = smallDisk(context);
    fill(disk);
    expect(() => makeRun(join(disk, 'run'))).toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.stringContaining('ENOSPC') }),
    );
  });
});

/** A file system of 4 MiB, where this machine lets us mount one. */
function smallDisk(context: TestContext): string {
  const disk = join(temporaryFolder(), 'disk');
  mkdirSync(disk);
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk], { encoding: 'utf8' });
  if (mount.status !== 0) {
    context.skip(`a small file system cannot be mounted here: ${mount.stderr || mount.error?.message}`);
  }
  onTestFinished(() => {
    spawnSync('umount', [disk]);
  });
  return disk;
}

/** Writes until not one byte more fits. */
function fill(folder: string): void {
  for (let size = 1024 ** 2; size > 0; size = Math.floor(size / 2)) {
    try {
      for (;;) writeFileSync(join(folder, 'filler'), Buffer.alloc(size), { flag: 'a' });
    } catch (error) {
      if (systemCode(error) !== 'ENOSPC') throw error;
    }
  }
}
