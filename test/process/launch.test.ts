import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, expect, test } from 'vitest';
import { launch, type LaunchOptions } from '../../src/process/launch.ts';
import { surroundings } from '../support/environment.ts';

function options(over: Partial<LaunchOptions> = {}): LaunchOptions & { out: string } {
  const where = surroundings();
  const out = join(where.root, 'out');
  const input = join(where.root, 'in');
  writeFileSync(input, 'a\0b\xff', 'latin1');
  const stdio = [openSync(input, 'r'), openSync(out, 'a'), openSync(out, 'a')] as const;
  onTestFinished(() => stdio.forEach((fd) => closeSync(fd)));
  return { file: '/bin/sh', args: ['-c', 'cat'], env: where.env, cwd: where.root, stdio, out, ...over };
}

test('stdin is the file, byte for byte', async () => {
  const request = options();
  const launched = await launch(request);
  expect(launched).toHaveProperty('pid');
  if ('child' in launched) await once(launched.child, 'exit');
  expect(readFileSync(request.out, 'latin1')).toBe('a\0b\xff');
});

test('arguments arrive as they are, leading dashes and all', async () => {
  const request = options({ args: ['-c', 'printf "%s|" "$@"', 'sh', '--help', '- [ ] do it', 'a "b" $c'] });
  const launched = await launch(request);
  if ('child' in launched) await once(launched.child, 'exit');
  expect(readFileSync(request.out, 'utf8')).toBe('--help|- [ ] do it|a "b" $c|');
});

const failing: [string, Partial<LaunchOptions>, string, RegExp][] = [
  [
    'a missing executable',
    { file: '/nonexistent/claude' },
    'ENOENT',
    /\/nonexistent\/claude could not be started/,
  ],
  ['one that may not be run', { file: '/etc/passwd' }, 'EACCES', /\/etc\/passwd/],
  [
    'a missing folder, though the system blames the executable',
    { cwd: '/nonexistent/dir' },
    'missing-cwd',
    /\/nonexistent\/dir/,
  ],
  ['a folder that is a file', { cwd: '/etc/passwd' }, 'missing-cwd', /\/etc\/passwd/],
  ['an argument that is too large', { args: ['-c', ':', 'x'.repeat(300_000)] }, 'E2BIG', /E2BIG/],
  ['an environment that is too large', { env: { BIG: 'x'.repeat(300_000) } }, 'E2BIG', /E2BIG/],
  ['a NUL in an argument', { args: ['-c', 'a\0b'] }, 'nul-byte', /^argument 2 holds a NUL byte$/],
  ['a NUL in a variable', { env: { FOO: 'a\0b' } }, 'nul-byte', /variable "FOO" holds a NUL byte/],
  ['a NUL in the folder', { cwd: '/tmp\0x' }, 'nul-byte', /working directory/],
];

test.each(failing)('%s is told, not thrown', async (_, over, code, message) => {
  const launched = await launch(options(over));
  expect(launched).toMatchObject({ failure: { code } });
  expect('failure' in launched && launched.failure.message).toMatch(message);
});
