import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));

/** The Node versions of the matrix: why each, and where its binary lies once installed. */
export const NODES = ['oldest', 'lts', 'current'].map((role) => ({
  role,
  binary: join(HERE, 'node_modules', `node-${role}`, 'bin', 'node'),
}));

/**
 * Installs the binaries from npm, each an ordinary package without scripts. Returns what is missing afterwards, as
 * sentences for a person: empty when all are there.
 *
 * @returns {string[]}
 */
export function setUpNodes() {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return [`Node versions other than ${process.version}: their npm packages are pinned for linux-x64 only`];
  }
  if (NODES.every(({ binary }) => existsSync(binary))) return [];
  const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: HERE,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return npm.status === 0
    ? []
    : ['Node versions to try the package on: `npm ci` in conformance/nodes failed (see above)'];
}
