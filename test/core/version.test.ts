import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BATON_VERSION } from '../../src/core/version.ts';

it('is the version of the package', () => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ version: BATON_VERSION });
});
