import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Env } from '../../src/core/environment.ts';
import { temporaryFolder } from './temporary.ts';

/** A world of its own for the programs of one test, under one temporary folder. */
export interface Surroundings {
  /** Holds all of the others; removed by itself. */
  root: string;
  /** First on PATH: a fake put here is found before anything that is installed. */
  bin: string;
  home: string;
  tmp: string;
  /** `$BATON_HOME`: where runs are kept. */
  state: string;
  /** PATH, HOME, TMPDIR, LANG and BATON_HOME, and nothing of the environment that the test itself runs in. */
  env: Env;
}

/**
 * Makes the folders and the environment. The home is empty and no credential is passed on, so that even a real agent
 * CLI that lies on the system's path could reach no service.
 */
export function surroundings(extra: Env = {}): Surroundings {
  const root = temporaryFolder();
  const folder = (name: string): string => {
    const path = join(root, name);
    mkdirSync(path);
    return path;
  };
  const tools = folder('tools');
  symlinkSync(process.execPath, join(tools, 'node'));
  symlinkSync(onPath('git'), join(tools, 'git'));
  const made = { bin: folder('bin'), home: folder('home'), tmp: folder('tmp'), state: folder('state') };
  const env = {
    PATH: [made.bin, tools, '/usr/bin', '/bin'].join(delimiter),
    HOME: made.home,
    TMPDIR: made.tmp,
    LANG: 'C.UTF-8',
    BATON_HOME: made.state,
    ...extra,
  };
  return { root, ...made, env };
}

/** Where a program of the test's own environment lies. */
function onPath(program: string): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = folders.map((folder) => join(folder, program)).find((file) => existsSync(file));
  if (!found) throw new Error(`the tests need ${program} on PATH`);
  return found;
}
