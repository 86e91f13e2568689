import { pathToFileURL } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import type * as Baton from '../../src/index.ts';
import { ensureBuilt } from '../support/build.ts';
import { surroundings } from '../support/environment.ts';
import { fakeShell } from '../support/fake.ts';
import { BUILT } from '../support/project.ts';
import { init, success } from '../support/records.ts';
import { makeRepository } from '../support/repository.ts';
import { writeGlobal, writeProject } from './fleets.ts';

let baton: typeof Baton;
beforeAll(async () => {
  await ensureBuilt();
  const loaded: typeof Baton = await import(pathToFileURL(BUILT.library).href);
  baton = loaded;
});

/** Surroundings with a claude that succeeds, and a repository whose own lane is not approved. */
function world() {
  const where = surroundings();
  fakeShell(where, `cat >/dev/null; echo '${init()}'; echo '${success('done')}'`);
  writeGlobal(where, { fast: { implementer: 'claude', model: 'haiku', effort: 'low' } });
  const { dir } = makeRepository();
  writeProject(dir, { fast: { implementer: 'codex' }, more: { implementer: 'codex' } });
  return { brief: 'do it', cd: dir, env: where.env };
}

it('takes a lane by its name, from the environment of the run', async () => {
  const warnings: string[] = [];
  const onWarning = (text: string): void => void warnings.push(text);
  const result = await baton.dispatch({ ...world(), lane: 'fast', effort: 'max', onWarning });
  expect(result).toMatchObject({
    lane: 'fast',
    laneSource: 'global',
    laneDials: ['model'],
    model: 'haiku',
    effort: 'max',
  });
  expect(warnings).toEqual([expect.stringContaining('the project has a lane "fast" too')]);
});

it('takes a lane that the caller has', async () => {
  const lane: Baton.Lane = {
    name: 'mine',
    source: 'global',
    implementer: 'claude',
    dials: { readOnly: true },
  };
  const result = await baton.dispatch({ ...world(), lane });
  expect(result).toMatchObject({
    lane: 'mine',
    laneDials: ['readOnly'],
    readOnly: true,
    permissionMode: 'plan',
  });
});

it('rejects before anything is made', async () => {
  const more = baton.dispatch({ ...world(), lane: 'more' });
  await expect(more).rejects.toThrow('not approved as it is now');
  await expect(more).rejects.toBeInstanceOf(baton.UsageError);
  await expect(baton.dispatch({ ...world(), lane: 'toString' })).rejects.toThrow(
    '--lane "toString" is not known',
  );
});
