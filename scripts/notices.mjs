// Writes THIRD-PARTY-NOTICES.md: the licences of the packages whose code is in what we ship. The bundler itself is
// asked what it took in, so that a package cannot come along unnamed.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';

const PROJECT = dirname(dirname(fileURLToPath(import.meta.url)));

const bundles = await build({ cwd: PROJECT, write: false, clean: false, logLevel: 'error' });
const names = new Set(bundles.flatMap((bundle) => [...bundle.inlinedDeps.keys()]));
const notices = [...names].sort().map(notice);

writeFileSync(
  join(PROJECT, 'THIRD-PARTY-NOTICES.md'),
  `# Third-party notices

Baton has no dependencies to install. Its files contain code of the packages below, each under its own licence.
Made by \`node scripts/notices.mjs\` from what the bundler took in.

${notices.join('\n')}`,
);

/** One package: name, version, licence, source, and the licence's own words. */
function notice(name) {
  const folder = join(PROJECT, 'node_modules', name);
  const { version, license, repository, homepage } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!license || !file) throw new Error(`${name} has no licence file: its code cannot be shipped`);
  const words = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim();
  return `## ${name} ${version}

Licence: ${license}. Source: ${homepage ?? repository?.url ?? repository}

\`\`\`text
${words}
\`\`\`
`;
}
