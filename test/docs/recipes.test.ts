import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { PROGRAMS } from '../support/baton.ts';
import { ensureBuilt } from '../support/build.ts';
import { type Surroundings, surroundings } from '../support/environment.ts';
import { fakeScripted, quote } from '../support/fake.ts';
import { makeRepository } from '../support/repository.ts';
import { pageOf } from './markdown.ts';

beforeAll(ensureBuilt);

const FILES = {
  'package.json': '{"scripts":{"test":"test ! -e broken"}}\n',
  'docs/list.md': '# List\n',
};

const BRIEF = `<task>
Add a line to \`docs/list.md\`.
</task>
Only \`docs/**\` may change. \`npm test\` must pass. Do not commit, stage or push.
`;

const WORK = `
version: 2.1.332 (Claude Code)
steps:
  - run: echo "- one more" >>docs/list.md
  - say: Done.
`;

/** The commands under a heading of the page, as they stand there, but for the doctor: that is about the machine. */
function recipe(heading: string): string {
  const blocks = pageOf('docs/recipes.md').blocks.filter(
    (block) => block.language === 'sh' && block.heading === heading,
  );
  return (blocks[0]?.lines ?? []).filter((line) => !line.startsWith('baton doctor')).join('\n');
}

function world() {
  const where = surroundings();
  fakeScripted(where, WORK);
  const baton = join(where.bin, 'baton');
  writeFileSync(baton, `#!/bin/sh\nexec ${quote(process.execPath)} ${quote(PROGRAMS.baton)} "$@"\n`);
  chmodSync(baton, 0o755);
  return { where, repository: makeRepository({ files: FILES }) };
}

function play(where: Surroundings, cwd: string, script: string) {
  return spawnSync('bash', ['-eo', 'pipefail', '-c', script], { cwd, encoding: 'utf8', env: where.env });
}

it('one task: from the brief to the commit', () => {
  const { where, repository } = world();
  // The editor of somebody who knows what to fill in.
  const editor = join(where.root, 'editor');
  writeFileSync(editor, `#!/bin/sh\nsed -i.bak 's/\\[fill in:[^]]*\\]/nothing/' "$1" && rm "$1.bak"\n`);
  chmodSync(editor, 0o755);
  const script = recipe('One task').replace('cd ~/project\n', '').replaceAll("'src/**'", "'docs/**'");
  expect(script).toContain('baton land');
  const ran = play({ ...where, env: { ...where.env, EDITOR: editor } }, repository.dir, script);
  expect({ status: ran.status, stderr: ran.stderr }).toMatchObject({ status: 0 });
  expect(repository.git('log', '-1', '--format=%s')).toBe('Add a --limit flag to list');
  expect(repository.git('show', '--format=', '--name-only', 'HEAD')).toBe('docs/list.md');
});

it('a series: each landed before the next begins, and none after one whose gates fail', () => {
  const { where, repository } = world();
  repository.commit({
    'baton.config.json': '{"gates":[{"name":"test","command":"! grep -c more docs/list.md | grep -q 3"}]}\n',
    'briefs/1 Begin.md': BRIEF,
    'briefs/2 Go on.md': BRIEF,
    'briefs/3 Break it.md': BRIEF,
    'briefs/4 Never.md': BRIEF,
  });
  const ready =
    'baton gates approve\nbaton lanes set mechanical --implementer claude --model haiku --timeout 5m\n';
  const ran = play(where, repository.dir, ready + recipe('A series'));
  expect({ status: ran.status, stderr: ran.stderr }).toMatchObject({ status: 1 });
  expect(repository.git('log', '--format=%s', '-3').split('\n').slice(0, 2)).toEqual(['2 Go on', '1 Begin']);
  expect(repository.read('docs/list.md')).toBe('# List\n- one more\n- one more\n- one more\n');
});

it('a CI job: the proof, the page and what would be landed, and nothing committed', () => {
  const { where, repository } = world();
  repository.commit({ '.ci/brief.md': BRIEF });
  const head = repository.head();
  const script = recipe('A CI job').replace(/^npm install.*\n/, '');
  const ran = play(where, repository.dir, script);
  expect({ status: ran.status, stderr: ran.stderr }).toMatchObject({ status: 0 });
  expect(JSON.parse(readFileSync(join(repository.dir, 'result.json'), 'utf8')).status).toBe('completed');
  expect(repository.read('report.html')).toContain('<!doctype html>');
  expect(ran.stdout).toContain('docs/list.md');
  expect(repository.head()).toBe(head);
});
