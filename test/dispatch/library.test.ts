import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type * as Baton from '../../src/index.ts';
import { ensureBuilt } from '../support/build.ts';
import { surroundings } from '../support/environment.ts';
import { fakeNode, fakeShell } from '../support/fake.ts';
import { BUILT } from '../support/project.ts';
import { init, success, text } from '../support/records.ts';
import { makeRepository } from '../support/repository.ts';

let baton: typeof Baton;
beforeAll(async () => {
  await ensureBuilt();
  const loaded: typeof Baton = await import(pathToFileURL(BUILT.library).href);
  baton = loaded;
});

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

describe('startRun', () => {
  test('gives events while the run goes on, and then the result', async () => {
    const where = surroundings();
    const { dir } = makeRepository();
    fakeShell(
      where,
      `cat >/dev/null; echo '${init()}'; echo '${text('half way')}'; sleep 0.3; echo '${success('done')}'`,
    );
    const run = baton.startRun({ brief: 'do it', cd: dir, env: where.env });
    let over = false;
    void run.result.then(() => (over = true));
    const seen: string[] = [];
    let early = false;
    for await (const event of run.events) {
      seen.push(event.type);
      if (event.type === 'text') early = !over;
    }
    expect(seen).toEqual(['session', 'text', 'finished']);
    expect(early).toBe(true);
    await expect(run.result).resolves.toMatchObject({ status: 'completed', finalMessage: 'done' });
  });

  test('can be read twice, late, or not at all', async () => {
    const where = surroundings();
    fakeShell(where, `cat >/dev/null; echo '${init()}'; echo '${success('done')}'`);
    const run = baton.startRun({ brief: 'do it', cd: makeRepository().dir, env: where.env });
    await run.result;
    const read = async (): Promise<string[]> => {
      const types: string[] = [];
      for await (const event of run.events) types.push(event.type);
      return types;
    };
    expect(await read()).toEqual(['session', 'finished']);
    expect(await read()).toEqual(['session', 'finished']);
  });

  test('unread events cost no memory', async () => {
    const where = surroundings();
    // 120 MB of events, of which a queue would keep every byte.
    const line = text('x'.repeat(10_000));
    fakeNode(
      where,
      `for (let i = 0; i < 12000; i += 1) require('fs').writeSync(1, ${JSON.stringify(`${line}\n`)}); console.log(${JSON.stringify(success('done'))})`,
    );
    const run = baton.startRun({ brief: 'do it', cd: makeRepository().dir, env: where.env });
    const iterator = run.events[Symbol.asyncIterator]();
    await iterator.next();
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    const result = await run.result;
    const grown = process.memoryUsage().rss - before;
    expect(result.stream.bytes).toBeGreaterThan(100_000_000);
    expect(grown).toBeLessThan(80_000_000);
    await iterator.return?.();
  });

  test('is ended by its signal, and ends what it started', async () => {
    const where = surroundings();
    fakeShell(where, `cat >/dev/null; echo '${init()}'; exec sleep 60`);
    const stop = new AbortController();
    const run = baton.startRun({
      brief: 'do it',
      cd: makeRepository().dir,
      env: where.env,
      signal: stop.signal,
    });
    for await (const event of run.events) if (event.type === 'session') stop.abort('SIGTERM');
    await expect(run.result).resolves.toMatchObject({ status: 'aborted', exitCode: 143, signal: 'SIGTERM' });
  });

  test('rejects a bad option by its flag, and its events just end', async () => {
    const run = baton.startRun({ brief: ' ', cd: '/' });
    await expect(run.result).rejects.toBeInstanceOf(baton.UsageError);
    for await (const event of run.events) expect.unreachable(event.type);
  });

  test('prints nothing, exits nothing, and leaves no handler of signals', async () => {
    const where = surroundings();
    fakeShell(where, `cat >/dev/null; echo noise >&2; echo '${success('done')}'`);
    const handlers = SIGNALS.map((name) => process.listenerCount(name));
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      await baton.dispatch({ brief: 'do it', cd: makeRepository().dir, env: where.env });
      expect([...out.mock.calls, ...err.mock.calls]).toEqual([]);
    } finally {
      vi.restoreAllMocks();
    }
    expect(SIGNALS.map((name) => process.listenerCount(name))).toEqual(handlers);
  });
});
