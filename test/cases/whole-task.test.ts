import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runBaton } from '../support/baton.ts';
import { ensureBuilt } from '../support/build.ts';
import { surroundings } from '../support/environment.ts';
import { fakeScripted } from '../support/fake.ts';
import { makeRepository } from '../support/repository.ts';

beforeAll(ensureBuilt);

const PROJECT = {
  'package.json': '{"type":"module","scripts":{"test":"node --test"}}\n',
  'baton.config.json': '{"gates":[{"name":"test","command":"npm test"}]}\n',
  'AGENTS.md': '- Never edit files in `generated/` by hand.\n',
  'src/math.js': 'export const subtract = (a, b) => a + b;\n',
  'test/math.test.js': [
    `import test from 'node:test';`,
    `import assert from 'node:assert';`,
    `import { subtract } from '../src/math.js';`,
    `test('subtract', () => assert.equal(subtract(3, 1), 2));\n`,
  ].join('\n'),
};

/** Does the work and more, asks, and when it is sent back takes out what nobody asked for. */
const IMPLEMENTER = `
version: 2.1.332 (Claude Code)
expect-args: [--model, haiku]
steps:
  - edit: { path: src/math.js, old: a + b, new: a - b }
  - write: { path: src/extra.js, content: "export const extra = 1;\\n" }
  - run: npm test
  - say: |
      ## Changed
      The sign is right now.
      ## Files
      - src/math.js: the sign
      - src/extra.js: new
      ## Gates
      - \`npm test\`: passed
      ## Deviations
      - I added src/extra.js, which you did not ask for.
      ## Questions
      - Should it stay?
on-resume:
  - delete: src/extra.js
  - run: npm test
  - say: |
      ## Changed
      Removed src/extra.js.
      ## Files
      - src/extra.js: removed
      ## Gates
      - \`npm test\`: passed
      ## Deviations
      none
      ## Questions
      none
`;

/** A new brief with each mark filled in by the first answer whose key stands in it. */
function filled(brief: string, answers: { [mark: string]: string }): string {
  return brief.replace(/\[fill in:[^\]]*\]/g, (mark) => {
    const answer = Object.entries(answers).find(([key]) => mark.includes(key));
    return answer?.[1] ?? 'nothing';
  });
}

test('a task from its brief to its commit, by a lane, with a report, and sent back once', async () => {
  const where = surroundings();
  const { dir, ...repository } = makeRepository({ files: PROJECT });
  fakeScripted(where, IMPLEMENTER);
  const baton = (...args: string[]) => runBaton(args, { env: where.env, cwd: dir });
  const good = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await baton(...args);
    expect({ args, code, stderr }).toMatchObject({ code: 0 });
    return stdout;
  };
  await good('lanes', 'set', 'mechanical', '--implementer', 'claude', '--model', 'haiku', '--timeout', '5m');

  await good('gates', 'approve');

  const brief = join(where.root, 'brief.md');
  const drafted = await good('brief', 'new', '--task', '`subtract` in `src/math.js` adds.');
  writeFileSync(brief, filled(drafted, { 'paths or globs': '`src/**`', 'which of them': '`npm test`' }));
  const flags = ['--touch', 'src/**', '--check-brief', '--check', '--json'];
  const dispatched: unknown = JSON.parse(
    await good('dispatch', '--brief', brief, '--lane', 'mechanical', ...flags),
  );
  expect(dispatched).toMatchObject({
    status: 'completed',
    lane: 'mechanical',
    laneSource: 'global',
    laneDials: ['model', 'timeout'],
    evidence: { violations: [] },
    agent: {
      report: {
        files: [{ path: 'src/math.js' }, { path: 'src/extra.js' }],
        gates: [{ command: 'npm test', outcome: 'passed' }],
        deviations: ['I added src/extra.js, which you did not ask for.'],
        questions: ['Should it stay?'],
      },
    },
  });

  // Where a person looks: the summary, the findings, the page.
  expect(await good('show')).toContain(
    'deviation  I added src/extra.js, which you did not ask for.\nquestion   Should it stay?\n',
  );
  const page = join(where.root, 'page.html');
  const reviewed = await good('review', '--html', page);
  for (const shown of [reviewed, readFileSync(page, 'utf8')]) {
    expect(shown).toContain('Deviations and questions that the report names');
    expect(shown).toContain('Should it stay?');
  }

  // What the implementer asked is in the delta brief, and has to be answered before it goes.
  const delta = join(where.root, 'delta.md');
  const sentBack = await good('brief', 'new', '--kind', 'delta');
  expect(sentBack).toContain('- it needs an answer: Should it stay? [fill in: your answer]\n');
  writeFileSync(delta, filled(sentBack, { 'your answer': 'No: take it out.' }));
  await good('brief', 'check', '--brief', delta);
  await good('rework', '--brief', delta);

  // What the last run says of a file that the runs together leave as it was is true all the same.
  expect(await good('review')).toMatch(/^no findings /);
  expect(await baton('land', '-m', 'Subtract')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('have not passed: not-run'),
  });
  await good('check');
  const landed = await good('land', '-m', 'Subtract');
  expect(landed).toMatch(/^Landed 2 runs .*\n M src\/math\.js\nGates: passed\n$/);
  expect(repository.git('show', '--format=', '--name-only', 'HEAD')).toBe('src/math.js');
  expect(repository.status()).toEqual([]);
});
