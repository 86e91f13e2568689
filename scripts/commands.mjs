// Writes docs/commands.md from what the built commands say of themselves.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = dirname(dirname(fileURLToPath(import.meta.url)));
const FILE = join(PROJECT, 'docs', 'commands.md');
const PROGRAM = join(PROJECT, 'bin', 'baton.js');

const text = `# Commands

Made from \`baton <command> --help\` by \`npm run commands\`.

${sections([]).join('\n')}`;

writeFileSync(FILE, text);

/** The help of a command, and of each command below it. */
function sections(path) {
  const help = helpOf(path);
  const below = subcommands(help).map((name) => [...path, name]);
  const heading = `${'#'.repeat(path.length + 2)} baton${path.map((name) => ` ${name}`).join('')}`;
  return [`${heading}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`, ...below.flatMap(sections)];
}

function helpOf(path) {
  const env = { PATH: process.env.PATH, HOME: PROJECT, LANG: 'C.UTF-8', NO_COLOR: '1' };
  return execFileSync(process.execPath, [PROGRAM, ...path, '--help'], { encoding: 'utf8', env });
}

function subcommands(help) {
  const list = /^Commands:\n((?: {2}.*\n?)+)/m.exec(help)?.[1] ?? '';
  return [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== 'help');
}
