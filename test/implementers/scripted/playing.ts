import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../../../src/core/environment.ts';
import { isObject, type JsonObject } from '../../../src/core/json.ts';
import { type Ended, startBaton, type Started } from '../../support/baton.ts';
import { type Surroundings, surroundings } from '../../support/environment.ts';

/** A working directory to play scripts in, with a world around it. */
export interface Playground {
  where: Surroundings;
  dir: string;
  start: (script: string, options?: PlayOptions) => Promise<Started>;
  play: (script: string, options?: PlayOptions) => Promise<Played>;
}

export interface PlayOptions {
  args?: readonly string[];
  env?: Env;
  brief?: string;
}

export interface Played extends Ended {
  /** The lines of stdout that are JSON objects. */
  records: JsonObject[];
}

export function playground(dir?: string): Playground {
  const where = surroundings();
  const cwd = dir ?? join(where.root, 'work');
  mkdirSync(cwd, { recursive: true });
  const script = join(where.root, 'script.yaml');
  const start = (
    yaml: string,
    { args = [], env = {}, brief = 'do it\n' }: PlayOptions = {},
  ): Promise<Started> => {
    writeFileSync(script, yaml);
    return startBaton(args, {
      program: 'scripted',
      cwd,
      env: { ...where.env, BATON_SCRIPT: script, ...env },
      input: brief,
    });
  };
  return {
    where,
    dir: cwd,
    start,
    play: async (yaml, options) => {
      const ended = await (await start(yaml, options)).ended;
      return { ...ended, records: recordsIn(ended.stdout) };
    },
  };
}

export function recordsIn(stdout: string): JsonObject[] {
  return stdout.split(/\r?\n/).flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return isObject(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

/** `system/init`, `assistant`, `result` ...: what kinds of records there are, in their order. */
export function kindsOf(records: readonly JsonObject[]): string[] {
  return records.map(({ type, subtype }) => (type === 'system' ? `system/${String(subtype)}` : String(type)));
}

/** The last result record; fails the test where there is none. */
export function resultIn(records: readonly JsonObject[]): JsonObject {
  const found = records.findLast(({ type }) => type === 'result');
  if (!found) throw new Error(`no result among ${kindsOf(records).join(', ')}`);
  return found;
}
