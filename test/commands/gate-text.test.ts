import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { outputTail } from '../../src/commands/output-tail.ts';
import { GateLine } from '../../src/commands/gate-line.ts';
import { styleFor } from '../../src/commands/style.ts';
import { until } from '../support/baton.ts';
import { temporaryFolder } from '../support/temporary.ts';

it('shows the end of an output of any size, and nothing that drives the terminal', () => {
  const file = join(temporaryFolder(), 'out.txt');
  expect(outputTail(file, 3)).toEqual([]);
  writeFileSync(file, 'x'.repeat(100_000));
  appendFileSync(file, '\n\u001b[2J\u001b]0;title\u0007first\r\n\nlast\u0000\n');
  const tail = outputTail(file, 2);
  expect(tail).toHaveLength(2);
  expect(tail[1]).toBe('last');
  expect(tail.join()).not.toMatch(/[\u0000-\u001f]/);
});

it('draws one line of the gate that runs, follows its output, and leaves nothing', async () => {
  const file = join(temporaryFolder(), 'out.txt');
  const drawn: string[] = [];
  const line = new GateLine({ write: (text) => drawn.push(text), columns: 60 }, styleFor(false));
  line.show({ name: 'test', number: 2, count: 3, output: file });
  expect(drawn.join('')).toMatch(/2\/3 test {2}\d+\.\ds/);
  writeFileSync(file, `${'w'.repeat(500)}\nworking\n`);
  await until('the output', () => drawn.join('').includes('working'));
  line.clear();
  const count = drawn.length;
  expect(drawn.at(-1)).toBe('\r\u001b[2K');
  line.clear();
  expect(drawn).toHaveLength(count);
  // eslint-disable-next-line no-control-regex
  expect(Math.max(...drawn.map((text) => text.replace(/\r|\u001b\[2K/g, '').length))).toBeLessThan(60);
});
