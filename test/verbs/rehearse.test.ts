import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rehearse } from '../../src/verbs/rehearse.ts';
import { temporaryFolder } from '../support/temporary.ts';

it.each(['scripted', 'nobody', 'constructor', '__proto__'])('has no rehearsal of %s', async (implementer) => {
  const cd = temporaryFolder();
  await expect(
    rehearse({ brief: 'x', cd, implementer, script: join(cd, 'none.yaml'), env: {} }),
  ).rejects.toThrow(`--implementer "${implementer}" cannot be rehearsed: claude and codex can`);
});
