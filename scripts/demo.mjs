// `npm run demo`: `baton demo` of this repository. It is built first where the sources are newer, and where PATH has no
// `claude` or `codex`, the one that the tests in conformance/ install is taken. Arguments go on to demo/demo.mjs.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = dirname(dirname(fileURLToPath(import.meta.url)));
const PINNED = join(PROJECT, 'conformance', 'node_modules', '.clis');

if (isBuilt() || build()) {
  // Last on PATH: what a person installed comes first.
  process.env.PATH = `${process.env.PATH}${delimiter}${PINNED}`;
  // In this process, which would otherwise leave at Ctrl-C before the demo has ended what it started.
  await import('../demo/demo.mjs');
} else process.exitCode = 1;

function isBuilt() {
  const built = ['main.cjs', 'scripted.cjs'].map((name) => join(PROJECT, 'dist', 'cli', name));
  if (!built.every((file) => existsSync(file))) return false;
  const sources = join(PROJECT, 'src');
  const newest = Math.max(
    ...readdirSync(sources, { recursive: true }).map((name) => statSync(join(sources, name)).mtimeMs),
  );
  return built.every((file) => statSync(file).mtimeMs >= newest);
}

function build() {
  console.log('Building baton first (npm run build) ...');
  const npm = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: PROJECT,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (npm.status === 0) return true;
  console.error(`${npm.stdout ?? ''}${npm.stderr ?? ''}\ndemo: the build failed; did \`npm ci\` run here?`);
  return false;
}
