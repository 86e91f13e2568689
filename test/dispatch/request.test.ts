import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../src/core/errors.ts';
import type { DispatchOptions } from '../../src/dispatch/options.ts';
import { checkOptions } from '../../src/dispatch/request.ts';
import { MAX_BRIEF_BYTES } from '../../src/running/checks.ts';

let dir = '';
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'baton-test-'));
  writeFileSync(join(dir, 'file'), '');
  symlinkSync(dir, join(dir, 'link'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const check = (options: Partial<DispatchOptions>) =>
  checkOptions({ brief: 'do it', cd: dir, env: {}, ...options });

describe('values that hold', () => {
  it.each([
    { model: 'claude-opus-5-5[1m]' },
    { model: 'org/model:tag@1' },
    { effort: 'ultracode' },
    { maxTurns: 3 },
    { maxTurns: '12' },
    { maxBudgetUsd: '0.50' },
    { maxBudgetUsd: 2 },
    { autocompact: 'auto' },
    { autocompact: '150k' },
    { autocompact: '1M' },
    { session: '00000000-0000-4000-8000-000000000000' },
    { allowDomains: ['registry.npmjs.org', '*.example.com', 'localhost:8080'] },
    { brief: '- [ ] do it' },
    { brief: '--help' },
    { brief: 'a\0b' },
  ])('%j', (options) => {
    expect(() => check(options)).not.toThrow();
  });

  it('fills in defaults', () => {
    expect(check({})).toMatchObject({
      profile: 'write',
      clocks: { wall: null, firstEvent: null, idle: null, completionGrace: 30_000 },
      limits: {
        maxUntrackedBytes: 50 * 1024 * 1024,
        maxRecordBytes: 64 * 1024 * 1024,
        minFreeBytes: 200_000_000,
      },
    });
  });

  it('keeps the directory as asked for and its real path', () => {
    expect(check({ cd: join(dir, 'link') })).toMatchObject({
      workdir: join(dir, 'link'),
      realWorkdir: realpathSync(dir),
    });
  });

  it('makes a brief with a lone surrogate well-formed', () => {
    expect(Buffer.from(check({ brief: 'x\ud83d' }).brief).toString('hex')).toBe('78efbfbd');
  });
});

describe('values that are refused, each by the name of its flag', () => {
  it.each<[string, Partial<DispatchOptions>]>([
    ['--model', { model: '' }],
    ['--model', { model: '-x' }],
    ['--model', { model: 'a b' }],
    ['--model', { model: 'a\n' }],
    ['--effort', { effort: 'extreme' }],
    ['--max-turns', { maxTurns: 0 }],
    ['--max-turns', { maxTurns: '+3' }],
    ['--max-turns', { maxTurns: '03' }],
    ['--max-turns', { maxTurns: '1.5' }],
    ['--max-turns', { maxTurns: '9007199254740993' }],
    ['--max-budget-usd', { maxBudgetUsd: '0' }],
    ['--max-budget-usd', { maxBudgetUsd: '0.00' }],
    ['--max-budget-usd', { maxBudgetUsd: '1e3' }],
    ['--max-budget-usd', { maxBudgetUsd: '-1' }],
    ['--max-budget-usd', { maxBudgetUsd: Number.NaN }],
    ['--max-budget-usd', { maxBudgetUsd: '9'.repeat(400) }],
    ['--autocompact', { autocompact: '0' }],
    ['--autocompact', { autocompact: '10g' }],
    ['--session', { session: '-x' }],
    ['--session', { session: 'a/b' }],
    ['--session', { session: 'a', resumeLast: true }],
    ['--read-only', { readOnly: true, dangerouslySkipPermissions: true }],
    ['--timeout', { timeout: '10' }],
    ['--idle-timeout', { idleTimeout: '0s' }],
    ['--first-event-timeout', { firstEventTimeout: '1.5s' }],
    ['--completion-grace', { completionGrace: '600h' }],
    ['--implementer', { implementer: 'constructor' }],
    ['--implementer', { implementer: '__proto__' }],
    ['--cd', { cd: '/no/such/directory' }],
    ['--allow-write', { allowWrite: ['/no/such/directory'] }],
    ['--allow-domain', { allowDomains: ['https://example.com'] }],
    ['--allow-domain', { allowDomains: ['*'] }],
    ['--touch', { touch: [''] }],
    ['--out-dir', { outDir: 'a\0b' }],
    ['brief', { brief: '' }],
    ['brief', { brief: ' \n\t' }],
  ])('%s %j', (flag, options) => {
    expect(() => check(options)).toThrow(UsageError);
    expect(() => check(options)).toThrow(flag);
  });

  it('a directory that is a file', () => {
    expect(() => check({ cd: join(dir, 'file') })).toThrow(/--cd .* is not a directory/);
    expect(() => check({ allowWrite: [join(dir, 'file')] })).toThrow(/--allow-write .* is not a directory/);
  });

  it('a brief over the limit, with its size and the way out', () => {
    expect(() => check({ brief: Buffer.alloc(MAX_BRIEF_BYTES + 1, 'x') })).toThrow(
      /10,000,001 bytes.*put large context into files/,
    );
    expect(() => check({ brief: Buffer.alloc(MAX_BRIEF_BYTES, 'x') })).not.toThrow();
  });

  it('a dispatch inside a run', () => {
    expect(() => check({ env: { BATON_DEPTH: '1' } })).toThrow(/inside a baton run/);
    expect(() => check({ env: { BATON_DEPTH: '0' } })).not.toThrow();
  });
});

it('reads every clock', () => {
  expect(
    check({ timeout: '1m', idleTimeout: '2s', firstEventTimeout: '3s', completionGrace: '4s' }),
  ).toMatchObject({
    timeout: '1m',
    clocks: { wall: 60_000, idle: 2_000, firstEvent: 3_000, completionGrace: 4_000 },
    clockFlags: { wall: '--timeout 1m', idle: '--idle-timeout 2s', firstEvent: '--first-event-timeout 3s' },
  });
});
