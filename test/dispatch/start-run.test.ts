import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { dispatch, startRun } from '../../src/dispatch/dispatch.ts';
import { temporaryFolder } from '../support/temporary.ts';

it('waits with its failure for who reads the events first', async () => {
  const unhandled: unknown[] = [];
  const keep = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', keep);
  onTestFinished(() => void process.off('unhandledRejection', keep));
  const { events, result } = startRun({ brief: ' ', cd: temporaryFolder() });
  await nextTurn();
  await nextTurn();
  for await (const event of events) expect(event).toBe('none');
  await expect(result).rejects.toThrow('the brief is empty');
  expect(unhandled).toEqual([]);
});

it('says of what is no text that it is none', async () => {
  for (const brief of [undefined, null, 42, {}]) {
    const options = { cd: temporaryFolder(), ...JSON.parse(JSON.stringify({ brief })) };
    await expect(dispatch(options)).rejects.toThrow('the brief is no text: give a string, or its bytes');
  }
});
