import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { followRecords } from '../../src/stream/follow-records.ts';
import { init, success, text } from '../support/records.ts';
import { temporaryFolder } from '../support/temporary.ts';

const maxRecordBytes = 1 << 20;

test('the records come while the file grows, and end when the run is over', async () => {
  const path = join(temporaryFolder(), 'log');
  writeFileSync(path, `${init()}\n`);
  const over = new AbortController();
  const seen: unknown[] = [];
  for await (const record of followRecords(path, { over: over.signal, maxRecordBytes })) {
    seen.push(record);
    if (seen.length === 1) setTimeout(() => appendFileSync(path, `${text('a')}\n`), 20);
    if (seen.length === 2) {
      setTimeout(() => {
        appendFileSync(path, success('last, without a newline'));
        over.abort();
      }, 20);
    }
  }
  expect(seen).toEqual(
    [init(), text('a'), success('last, without a newline')].map((line) => JSON.parse(line) as unknown),
  );
});

test('two iterations do not disturb each other, and one that stops early lets go', async () => {
  const path = join(temporaryFolder(), 'log');
  writeFileSync(path, `${init()}\n${text('a')}\n${success('b')}\n`);
  const options = { over: AbortSignal.abort(), maxRecordBytes };
  const first = followRecords(path, options);
  const second = followRecords(path, options);
  expect((await first.next()).value).toMatchObject({ type: 'system' });
  expect((await second.next()).value).toMatchObject({ type: 'system' });
  expect((await first.next()).value).toMatchObject({ type: 'assistant' });
  await first.return();
  expect((await first.next()).done).toBe(true);
  expect((await second.next()).value).toMatchObject({ type: 'assistant' });
  await second.return();
});

test('a file that is not there yet is waited for; one that never comes is empty', async () => {
  const path = join(temporaryFolder(), 'log');
  const over = new AbortController();
  const late = followRecords(path, { over: over.signal, maxRecordBytes });
  const first = late.next();
  await sleep(20);
  writeFileSync(path, `${init()}\n`);
  expect((await first).value).toMatchObject({ type: 'system' });
  over.abort();
  expect((await late.next()).done).toBe(true);

  const none = followRecords(`${path}.none`, { over: over.signal, maxRecordBytes });
  expect((await none.next()).done).toBe(true);
});

test('a consumer that waits is woken when the run is over', async () => {
  const path = join(temporaryFolder(), 'log');
  writeFileSync(path, '');
  const over = new AbortController();
  const waiting = followRecords(path, { over: over.signal, maxRecordBytes }).next();
  setTimeout(() => over.abort(), 20);
  expect((await waiting).done).toBe(true);
});
