import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ARTIFACTS, isTemporaryName } from '../../src/rundir/layout.ts';
import { liveSchema } from '../../src/rundir/live-schema.ts';
import { resultSchema } from '../../src/rundir/result-schema.ts';
import type { Result } from '../../src/rundir/result.ts';
import { dispatch, type Dispatched, type DispatchOptions, resultOf } from '../support/baton.ts';
import type { Surroundings } from '../support/environment.ts';
import { fakeShell, type FakeOptions, quote } from '../support/fake.ts';
import { processesOfRun } from '../support/processes.ts';

/** A session record that says what a present CLI says: the shell sandbox is on. */
export function session(id = 'S1', more: object = {}): string {
  return JSON.stringify({ type: 'system', subtype: 'init', session_id: id, sandbox_enabled: true, ...more });
}

/** A terminal record, with what differs from a plain success. */
export function result(more: object = {}): string {
  return JSON.stringify({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: 'done',
    session_id: 'S1',
    ...more,
  });
}

/** Records as the CLI prints them. */
export function lines(...records: string[]): string {
  return records.map((record) => `${record}\n`).join('');
}

/** A fake that reads its brief, prints exactly these bytes, and exits. */
export function fakeBytes(
  where: Surroundings,
  bytes: string | Uint8Array,
  options: FakeOptions & { exit?: number; before?: string; after?: string } = {},
): void {
  const file = join(where.root, `${options.name ?? 'claude'}.stdout`);
  writeFileSync(file, bytes);
  const { before = '', after = '', exit = 0 } = options;
  fakeShell(where, `cat >/dev/null\n${before}\ncat ${quote(file)}\n${after}\nexit ${exit}`, options);
}

/** A fake that does this in the working directory between its first record and its success. */
export function fakeDoing(where: Surroundings, script: string, options: FakeOptions = {}): void {
  const print = (record: string): string => `printf '%s\\n' ${quote(record)}`;
  fakeShell(where, `cat >/dev/null\n${print(session())}\n${script}\n${print(result())}`, options);
}

export type Proven = Dispatched & { result: Result };

/** Dispatches to the end and holds what was written against the contract. */
export async function proven(where: Surroundings, options: DispatchOptions): Promise<Proven> {
  return prove(await dispatch(where, options));
}

/** What must hold after every ending that leaves a result, whatever the implementer did. */
export function prove(run: Dispatched): Proven {
  const found = resultOf(run);
  const bytes = readFileSync(join(run.dir, 'result.json'));
  expect(resultSchema.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))).toEqual(
    found,
  );

  expect(run).toMatchObject({ code: found.exitCode, signal: null });
  expect(found.exitCode === 0).toBe(found.status === 'completed');
  expect(typeof found.error).toBe(found.status === 'completed' ? 'undefined' : 'string');
  expect(Array.isArray(found.stderrTail)).toBe(found.status !== 'completed');
  expect(found.error ?? '').not.toMatch(/undefined|\[object Object\]/);

  const live = liveSchema.parse(JSON.parse(readFileSync(join(run.dir, 'run.json'), 'utf8')));
  expect(live).toMatchObject({ runId: found.runId, phase: 'finished' });
  expect(readFileSync(join(run.dir, 'final.txt')).equals(Buffer.from(found.finalMessage))).toBe(true);

  const names = readdirSync(run.dir);
  expect(names.filter(isTemporaryName)).toEqual([]);
  expect(names).not.toContain('.reserve');
  expect(lstatSync(run.dir).mode & 0o777).toBe(0o700);
  for (const name of Object.values(ARTIFACTS).filter((name) => names.includes(name))) {
    const stat = lstatSync(join(run.dir, name));
    expect([name, stat.mode & 0o777]).toEqual([name, stat.isDirectory() ? 0o700 : 0o600]);
  }

  expect(found.process.survivors).toEqual([]);
  expect(processesOfRun(found.runId)).toEqual([]);
  expect(run.stderr).not.toMatch(/^\s+at |baton: unexpected/m);
  return { ...run, result: found };
}

/**
 * Where a result could not be kept: it is whole or absent, never half, and when it is absent one line on stderr and the
 * exit code say so.
 */
export function proveWholeOrAbsent(run: Dispatched, reason: RegExp): void {
  if (run.result) prove(run);
  else {
    expect(run.stderr).toMatch(/^baton: [^\n]+\n$/m);
    expect(run.stderr).toMatch(reason);
    expect(run.code).toBeGreaterThan(0);
    expect(run.stderr).not.toMatch(/unexpected|^\s+at /m);
    expect(existsSync(join(run.dir, 'result.json'))).toBe(false);
    expect(existsSync(run.dir) ? readdirSync(run.dir).filter(isTemporaryName) : []).toEqual([]);
  }
}

/** `events.jsonl` of a run, byte for byte. */
export function eventsOf(run: { dir: string }): Buffer {
  return readFileSync(join(run.dir, 'events.jsonl'));
}
