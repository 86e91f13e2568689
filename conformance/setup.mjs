// Installs the real agent CLIs that the tests drive, and links them where a test can put them on PATH:
//
//   node conformance/setup.mjs     installs what is absent or not the pinned version; prints what is still missing
//
// They are apart from the project's own dependencies, since they are about 800 MB. Their install scripts do not run:
// `claude` then comes from the package of its platform.

import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const MODULES = join(HERE, 'node_modules');

/** Holds `claude` and `codex`, and nothing else: for the front of a PATH. */
export const CLIS = join(MODULES, '.clis');

/**
 * Returns what is missing afterwards, as sentences for a person: empty when all is there. Does nothing when it was.
 *
 * @returns {string[]}
 */
export function setUp() {
  if (!isInstalled()) {
    const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: HERE,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    if (npm.status !== 0) return ['the real agent CLIs: `npm ci` in conformance failed (see above)'];
  }
  return Object.entries(executables()).flatMap(([name, file]) => {
    if (file === undefined) return [`${name} for ${process.platform}-${process.arch}: its package has none`];
    link(join(CLIS, name), file);
    return [];
  });
}

/** Every pinned package is there, in its version, and whole: an install may have been cut short. */
function isInstalled() {
  if (Object.values(executables()).includes(undefined)) return false;
  const { dependencies } = readJson(join(HERE, 'package.json'));
  return Object.entries(dependencies).every(([name, version]) => {
    const manifest = join(MODULES, name, 'package.json');
    return existsSync(manifest) && readJson(manifest).version === version;
  });
}

/** Where each CLI's executable lies; undefined where there is none for this machine. */
function executables() {
  const platform = `${process.platform}-${process.arch}`;
  const file = process.platform === 'win32' ? 'claude.exe' : 'claude';
  const claudes = [platform, `${platform}-musl`].map((name) =>
    join(MODULES, '@anthropic-ai', `claude-code-${name}`, file),
  );
  const codex = join(MODULES, '@openai', 'codex', 'bin', 'codex.js');
  return { claude: claudes.find((path) => existsSync(path)), codex: existsSync(codex) ? codex : undefined };
}

function link(path, target) {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there?.isSymbolicLink() && readlinkSync(path) === target) return;
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  symlinkSync(target, path);
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const missing = setUp();
  for (const one of missing) console.error(`missing: ${one}`);
  process.exitCode = missing.length > 0 ? 1 : 0;
}
