import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { installPackage } from '../package/tarball.ts';
import { surroundings } from '../support/environment.ts';
import { fakeShell } from '../support/fake.ts';
import { PROJECT } from '../support/project.ts';
import { makeRepository } from '../support/repository.ts';
import { pageOf } from './markdown.ts';

// The path of a newcomer through the README, as it stands there. `.ci/run` does the first half, in a fresh clone: the
// two commands. This is the second: every line below "Sixty seconds", in order, in one shell. One thing differs: the
// package is not on the registry while it is tested, so `npm install` gets the file that `npm pack` made, by its path.

const readme = pageOf('README.md');

/** An npm that asks nobody. */
const ALONE = { npm_config_offline: 'true', npm_config_update_notifier: 'false' };

function shellUnder(heading: string): string[] {
  return readme.blocks
    .filter((block) => block.language === 'sh' && block.heading === heading)
    .map(({ lines }) => lines.join('\n'));
}

it('begins with the two commands, which CI takes from the README and runs in a fresh clone', () => {
  expect(shellUnder('See it in two commands')).toEqual(['npm ci && npm run demo', 'npm ci && npm test']);
  const ci = readFileSync(join(PROJECT, '.ci', 'run'), 'utf8');
  expect(ci).toMatch(/^check 'newcomer.*' newcomer$/m);
  expect(ci).toContain('README.md');
});

it('goes on for sixty seconds, from the installation to the landing', async () => {
  const { tarball } = await installPackage();
  const where = surroundings();
  const project = join(where.home, 'project');
  const repository = makeRepository({ dir: project, files: null });
  cpSync(join(PROJECT, 'demo', 'project'), project, { recursive: true });
  repository.commit({}, 'Start');
  appendFileSync(join(project, 'math.js'), '\n// My own work.\n');
  // The one stranger: a `claude` that does what the demo's script says.
  fakeShell(where, `exec baton-scripted "$@"`, { version: null });

  const global = join(where.root, 'global');
  const npm = execFileSync('/bin/sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
  const script = shellUnder('Sixty seconds').join('\n');
  expect(script).toMatch(/^npm install -g baton-relay\b/);
  const ran = spawnSync('bash', ['-euo', 'pipefail', '-c', script.replace('baton-relay', `'${tarball}'`)], {
    cwd: where.root,
    encoding: 'utf8',
    env: {
      ...where.env,
      PATH: [where.env['PATH'], join(global, 'bin'), dirname(npm)].join(delimiter),
      npm_config_prefix: global,
      ...ALONE,
      BATON_SCRIPT: join(PROJECT, 'demo', 'fix.yaml'),
    },
  });
  expect(ran).toMatchObject({ status: 0 });
  expect(ran.stdout).toContain('completed');
  expect(ran.stdout).toContain('gates: 1 passed');
  expect(repository.git('log', '-1', '--format=%s')).toBe('Fix the sign of subtract');
  expect(repository.git('show', '--format=', '--numstat', 'HEAD')).toBe('1\t1\tmath.js');
  expect(repository.git('diff')).toContain('+// My own work.');
});

it('may use npx in place of the installed command', async () => {
  const { project } = await installPackage();
  const { env } = surroundings();
  const npx = execFileSync('/bin/sh', ['-c', 'command -v npx'], { encoding: 'utf8' }).trim();
  const told = execFileSync(npx, ['baton-relay', '--version'], {
    cwd: project,
    encoding: 'utf8',
    env: { ...env, ...ALONE, PATH: [env['PATH'], dirname(npx)].join(delimiter) },
  });
  expect(told).toMatch(/^\d+\.\d+\.\d+\n$/);
});
