import { expect, it } from 'vitest';
import { publish } from '../../src/publishing/publish.ts';
import { runBaton } from '../support/baton.ts';
import { surroundings, type Surroundings } from '../support/environment.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { interrupt } from '../publishing/interrupt.ts';
import { SKILL, skill } from '../publishing/publishing.ts';

const FILES = [skill('one'), skill('one', 'AGENTS.md')];

/** A publication that was killed when its first file was in its place. */
async function killed(where: Surroundings, repository: TestRepository): Promise<void> {
  const options = { env: where.env };
  const attempt = { verb: 'publish', root: repository.dir, files: FILES, options, dieAt: 'placed' } as const;
  expect(await interrupt(attempt)).toMatchObject({ signal: 'SIGKILL' });
}

it.each([
  ['skills list', ['skills', 'list'], 0],
  ['discard', ['discard'], 1],
  ['diff', ['diff'], 1],
] as const)(
  'whatever comes after a killed publication mends it first and says so: %s',
  async (_, args, code) => {
    const where = surroundings();
    const repository = makeRepository();
    await killed(where, repository);
    const inTree = { env: where.env, cwd: repository.dir };

    const mended = await runBaton([...args], inTree);

    expect(mended.stderr).toContain(
      `baton: an interrupted publication in ${repository.dir} was completed now\nbaton: written: AGENTS.md\n`,
    );
    expect(mended.code).toBe(code);
    expect(repository.status()).toEqual([`?? ${SKILL}`, '?? AGENTS.md'].toSorted());
    const again = await runBaton([...args], inTree);
    expect(again.stderr).not.toContain('interrupted');
  },
);

it('an undo after a killed undo completes that, and takes nothing else back', async () => {
  const where = surroundings();
  const repository = makeRepository();
  const options = { env: where.env };
  const inTree = { env: where.env, cwd: repository.dir };
  await publish({ root: repository.dir, files: [skill('first', 'CLAUDE.md')], options, nested: false });
  await publish({ root: repository.dir, files: FILES, options, nested: false });
  const attempt = { verb: 'undo', root: repository.dir, files: [], options, dieAt: 'placed' } as const;
  expect(await interrupt(attempt)).toMatchObject({ signal: 'SIGKILL' });

  const undone = await runBaton(['skills', 'undo'], inTree);

  expect(undone).toMatchObject({
    code: 0,
    stdout: `Took publication 2 back:\nremoved   ${SKILL}\nremoved   AGENTS.md\n`,
    stderr: expect.stringContaining('baton: an interrupted undo of a publication in'),
  });
  expect(repository.status()).toEqual(['?? CLAUDE.md']);
});

it('skills undo says what it did, as text and as JSON, and why it refuses', async () => {
  const where = surroundings();
  const repository = makeRepository();
  const options = { env: where.env };
  const inTree = { env: where.env, cwd: where.root };
  const at = ['--cd', repository.dir];
  await publish({ root: repository.dir, files: FILES, options, nested: false });
  repository.write({ [SKILL]: 'edited\n' });

  const refused = await runBaton(['skills', 'undo', ...at, '--json'], inTree);
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.stdout)).toEqual({
    error: {
      code: 'edited-since',
      message: `nothing was undone: changed since it was published: ${SKILL}`,
      hint: '--force takes it back all the same, and the edits are lost',
    },
  });
  expect(refused.stderr).toMatch(/^baton: nothing was undone: [^\n]*--force[^\n]*\n$/);

  const forced = await runBaton(['skills', 'undo', ...at, '--force', '--json'], inTree);
  expect(forced.code).toBe(0);
  expect(JSON.parse(forced.stdout)).toEqual({
    publication: '1',
    files: [
      { path: SKILL, status: 'removed' },
      { path: 'AGENTS.md', status: 'removed' },
    ],
    recovered: null,
  });
  expect(repository.status()).toEqual([]);

  const nothing = await runBaton(['skills', 'undo', ...at], inTree);
  expect(nothing).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `baton: no publication is known of ${repository.dir}\n`,
  });
});
