import { expect, it } from 'vitest';
import { surroundings } from '../support/environment.ts';
import { makeRepository } from '../support/repository.ts';
import { fakeDoing, proven } from './proof.ts';

it('G15 sees writes to ignored files only when asked, and says which it did', async () => {
  const repository = makeRepository({ files: { '.gitignore': 'build/\n', 'a.txt': 'a\n' } });
  repository.write({ 'build/out.js': 'old\n' });
  const where = surroundings();
  fakeDoing(where, 'echo new content > build/out.js; echo x > build/more.js');

  const blind = await proven(where, { cd: repository.dir, args: ['--read-only'] });
  expect(blind.result.evidence.coverage).toEqual({ complete: true, gaps: [], ignored: 'not-scanned' });
  expect(blind.result).toMatchObject({ readOnlyViolation: false, evidence: { tree: 'unchanged' } });

  repository.write({ 'build/out.js': 'old again\n' });
  const seen = await proven(where, { cd: repository.dir, args: ['--scan-ignored'] });
  expect(seen.result.evidence.coverage.ignored).toBe('scanned');
  expect(seen.result.evidence.notices.join()).toMatch(/ignored files were changed: .*build\/out\.js/);
  expect(seen.result.evidence.changes).toEqual([]);

  repository.write({ 'build/out.js': 'old once more\n' });
  const tripped = await proven(where, { cd: repository.dir, args: ['--read-only', '--scan-ignored'] });
  expect(tripped.result.readOnlyViolation).toBe(true);
});
