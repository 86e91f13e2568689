import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt } from './support/build.ts';
import { PROJECT } from './support/project.ts';
import { temporaryFolder } from './support/temporary.ts';

const START = join(PROJECT, 'dist', 'cli', 'start.cjs');
const OF_THIS_NODE = join('compiled', `${process.version}-${process.arch}`);

beforeAll(ensureBuilt);

/** A bundle of two files that need each other, as the builder makes them. */
function makeBundle(word = 'old'): string {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, 'entry.cjs'),
    `const { basename } = require('node:path');\nexports.own = basename(__filename);\nrequire('./part.cjs').say();\n`,
  );
  writePart(folder, word);
  return folder;
}

function writePart(folder: string, word: string): void {
  writeFileSync(
    join(folder, 'part.cjs'),
    `exports.say = () => console.log('${word}', require('./entry.cjs').own, this === exports);\n`,
  );
}

/** What it printed; a failure or a word on stderr shows in it. */
function run(folder: string, env: { [name: string]: string } = {}): string {
  const entry = JSON.stringify(join(folder, 'entry.cjs'));
  const code = `require(${JSON.stringify(START)}).start(${entry}, require)`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', code], { env, encoding: 'utf8' });
  return status === 0 ? `${stdout}${stderr}` : `exit ${status}: ${stderr}`;
}

function kept(folder: string): string[] {
  const store = join(folder, OF_THIS_NODE);
  return existsSync(store) ? readdirSync(store).map((name) => join(store, name)) : [];
}

describe('start', () => {
  it('loads a bundle, keeps its compiled code beside it, and uses that from then on', () => {
    const folder = makeBundle();
    expect(run(folder)).toBe('old entry.cjs true\n');
    const files = kept(folder);
    expect(files).toHaveLength(2);
    const inodes = files.map((file) => statSync(file).ino);
    expect(run(folder)).toBe('old entry.cjs true\n');
    expect(kept(folder)).toEqual(files);
    expect(files.map((file) => statSync(file).ino)).toEqual(inodes);
  });

  it('takes the new code of a bundle that was replaced by one of the same length', () => {
    const folder = makeBundle();
    run(folder);
    writePart(folder, 'new');
    utimesSync(join(folder, 'part.cjs'), 1, 1);
    expect(run(folder)).toBe('new entry.cjs true\n');
  });

  it.each(['', 'short', 'x'.repeat(10_000)])('passes over %j in place of compiled code', (content) => {
    const folder = makeBundle();
    run(folder);
    for (const file of kept(folder)) writeFileSync(file, content);
    expect(run(folder)).toBe('old entry.cjs true\n');
  });

  it('passes over compiled code in which any one bit is wrong, and mends it', () => {
    const folder = makeBundle();
    run(folder);
    for (const part of [0, 0.01, 0.3, 0.6, 0.999]) {
      for (const file of kept(folder)) {
        const bytes = readFileSync(file);
        const at = Math.floor(part * bytes.length);
        bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at);
        writeFileSync(file, bytes);
      }
      const damaged = kept(folder).map((file) => readFileSync(file));
      expect(run(folder)).toBe('old entry.cjs true\n');
      expect(kept(folder).map((file) => readFileSync(file))).not.toEqual(damaged);
    }
  });

  it('passes over compiled code that was cut off', () => {
    const folder = makeBundle();
    run(folder);
    for (const file of kept(folder)) writeFileSync(file, readFileSync(file).subarray(0, 500));
    expect(run(folder)).toBe('old entry.cjs true\n');
  });

  it('keeps nothing where it may not write, and says nothing about it', () => {
    const folder = makeBundle();
    writeFileSync(join(folder, 'compiled'), '');
    expect(run(folder)).toBe('old entry.cjs true\n');
  });

  it('keeps and reads nothing where Node itself was told not to', () => {
    const folder = makeBundle();
    expect(run(folder, { NODE_DISABLE_COMPILE_CACHE: '1' })).toBe('old entry.cjs true\n');
    expect(kept(folder)).toEqual([]);
  });
});
