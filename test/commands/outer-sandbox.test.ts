import { describe, expect, test } from 'vitest';
import { outerSandbox } from '../../src/core/outer-sandbox.ts';
import { dispatch } from '../support/baton.ts';
import { surroundings } from '../support/environment.ts';
import { fakeSaying } from '../support/fake.ts';
import { init, success } from '../support/records.ts';
import { makeRepository } from '../support/repository.ts';

describe('inside codex’s own sandbox', () => {
  test.each([
    [{}, false],
    [{ CODEX_SANDBOX_NETWORK_DISABLED: '0' }, false],
    [{ CODEX_SANDBOX_NETWORK_DISABLED: '1' }, true],
    [{ CODEX_SANDBOX: 'seatbelt' }, true],
  ])('%j is told: %s', (env, told) => {
    expect(outerSandbox(env) !== null).toBe(told);
  });

  test('a dispatch says what helps, and tries all the same', async () => {
    const where = surroundings({ CODEX_SANDBOX_NETWORK_DISABLED: '1' });
    fakeSaying(where, [init(), success('done')]);
    const { code, stderr } = await dispatch(where, { cd: makeRepository().dir });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^baton: this shell is inside codex's sandbox.*-s danger-full-access\n/);
  });

  test('outside of it nothing is said', async () => {
    const where = surroundings();
    fakeSaying(where, [init(), success('done')]);
    const { stderr } = await dispatch(where, { cd: makeRepository().dir });
    expect(stderr).not.toContain('danger-full-access');
  });
});
