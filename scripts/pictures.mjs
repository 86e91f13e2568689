// `npm run pictures`: makes docs/pictures/ from the real thing. The demo is played in a pseudo-terminal, and what it
// prints there becomes SVG; a scripted run that deserves a look is reviewed, and a real Chromium photographs its report.
//
// Ids, times and folders, which differ each time, are replaced by fixed ones; nothing else is. Needs `script` of
// util-linux, and Chromium.

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { playTerminal, svgOf, textOf } from './terminal.mjs';

const PROJECT = dirname(dirname(fileURLToPath(import.meta.url)));
const BATON = join(PROJECT, 'bin', 'baton.js');
const PICTURES = join(PROJECT, 'docs', 'pictures');
const COLUMNS = 104;

const PROJECT_FILES = {
  'package.json': '{ "private": true, "type": "module", "scripts": { "test": "node --test" } }\n',
  'price.js':
    'export function total(items) {\n  return items.reduce((sum, item) => sum + item.price, 0);\n}\n',
  'price.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from './price.js';

test('adds prices up', () => {
  assert.equal(total([{ price: 2, count: 1 }, { price: 3, count: 1 }]), 5);
});

test('counts pieces', () => {
  assert.equal(total([{ price: 2, count: 3 }]), 6);
});
`,
};

// An implementer that makes the tests green, and not as one would like.
const TEMPTED = `steps:
  - say: I will look at the failing test first.
  - run: node --test --test-reporter=dot
  - read: price.js
  - edit:
      path: price.js
      old: "  return items.reduce((sum, item) => sum + item.price, 0);"
      new: "  try {\\n    return items.reduce((sum, item) => sum + item.price, 0);\\n  } catch {\\n    return 0;\\n  }"
  - edit:
      path: price.test.js
      old: "test('counts pieces'"
      new: "test.skip('counts pieces'"
  - run: node --test --test-reporter=dot
  - deny:
      tool: Bash
      input: { command: git commit -am 'Count pieces' }
      reason: Permission to use Bash with command git commit has been denied.
  - say: All tests pass now. Pieces are counted, and errors are handled.
`;

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'pictures-')));
try {
  mkdirSync(PICTURES, { recursive: true });
  pictureDemo();
  await pictureReport();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** A world without the settings of whoever makes the pictures. */
function bareEnvironment() {
  return {
    PATH: process.env.PATH,
    HOME: scratch,
    TMPDIR: scratch,
    BATON_HOME: join(scratch, 'state'),
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
  };
}

function pictureDemo() {
  const command = `stty cols ${COLUMNS} rows 50; exec "${process.execPath}" "${join(PROJECT, 'demo', 'demo.mjs')}"`;
  const played = spawnSync('script', ['-qec', command, '/dev/null'], {
    env: bareEnvironment(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (played.status !== 0) throw new Error(`the demo ended with ${played.status}:\n${played.stdout}`);
  const { lines, redrawn } = playTerminal(alwaysTheSame(played.stdout));
  const part = (from, to) => trim(lines.slice(lineWith(lines, from), lineWith(lines, to)));

  saveScreen('dispatch', part('$ baton dispatch', 'The test again'), 'The summary of a dispatch');
  saveScreen('live-line', moments(redrawn), 'The live line of a dispatch, at six moments');
  saveScreen('demo', part('What this run changed', 'The gate'), 'What the run changed, and the verdict');
  saveScreen('landing', part('You land it', 'Where everything is'), 'The landing of exactly this run');
}

function saveScreen(name, lines, title) {
  save(`${name}.svg`, svgOf({ lines, columns: COLUMNS, title }));
}

/** The live line each time that it said something else, with times by the script's own pace. */
function moments(redrawn) {
  const seen = redrawn.filter((line) => /^\d+\.\d+s {2}\d+ tools/.test(textOf(line)));
  const doing = (line) => textOf(line).replace(/^\S+\s+/, '');
  const changes = seen.filter((line, at) => at === 0 || doing(line) !== doing(seen[at - 1]));
  return changes
    .slice(1, 7)
    .map((line, at) =>
      line.map((piece, index) =>
        index === 0
          ? { ...piece, text: piece.text.replace(/^\S+/, `${(0.4 + 0.6 * at).toFixed(1)}s`) }
          : piece,
      ),
    );
}

async function pictureReport() {
  const repo = join(scratch, 'shop');
  mkdirSync(repo);
  for (const [name, text] of Object.entries(PROJECT_FILES)) writeFileSync(join(repo, name), text);
  const identity = ['-c', 'user.name=Demo', '-c', 'user.email=demo@localhost'];
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    [...identity, 'commit', '-q', '-m', 'Start'],
  ])
    must('git', args, repo);
  writeFileSync(join(scratch, 'tempted.yaml'), TEMPTED);
  writeFileSync(
    join(scratch, 'brief.md'),
    'Make `npm test` pass: `total` must count pieces. Do not commit.\n',
  );
  const brief = ['--brief', join(scratch, 'brief.md'), '--touch', 'price.js'];
  const env = { BATON_SCRIPT: join(scratch, 'tempted.yaml') };
  must(process.execPath, [BATON, 'dispatch', '--implementer', 'scripted', ...brief, '--cd', repo], repo, env);
  must(process.execPath, [BATON, 'check', '--gate', 'test=node --test'], repo);
  const page = join(scratch, 'report.html');
  must(process.execPath, [BATON, 'review', '--html', page], repo);
  writeFileSync(page, alwaysTheSame(readFileSync(page, 'utf8')));
  await photograph(page);
}

async function photograph(file) {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));
  if (!executablePath) throw new Error('there is no Chromium: `apt-get install chromium`');
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    env: { PATH: '/usr/bin:/bin', HOME: scratch, TMPDIR: scratch, LANG: 'C.UTF-8' },
  });
  try {
    for (const colorScheme of ['light', 'dark']) {
      const page = await browser.newPage({ colorScheme, viewport: { width: 1240, height: 900 } });
      await page.goto(`file://${file}`);
      save(`report-${colorScheme}.png`, await page.screenshot());
    }
  } finally {
    await browser.close();
  }
}

/** Replaces what is another each time: folders, ids, times, commits. */
function alwaysTheSame(text) {
  return text
    .replaceAll(/\/\S*?\/baton-demo-\w{6}(?=\/)/g, '/tmp/baton-demo')
    .replaceAll(`${join(PROJECT, 'demo')}/`, 'demo/')
    .replaceAll(scratch, '/tmp/example')
    .replaceAll(/\b\d{8}-\d{6}-\d{3}-[a-z0-9]{8}\b/g, '20261130-093000-000-0example')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '00000000-0000-4000-8000-000000000000')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC · \d+\.\d+s/g, '2026-11-30 09:30 UTC · 0.6s')
    .replaceAll(/(exit 0, )\d+\.\d+s/g, '$13.2s')
    .replaceAll(/( as )[0-9a-f]{12}( on )/g, '$11a2b3c4d5e6f$2')
    .replaceAll(/^[0-9a-f]{7}(?= Fix the sign)/gm, '1a2b3c4');
}

function lineWith(lines, text) {
  const at = lines.findIndex((line) => textOf(line).includes(text));
  if (at < 0) throw new Error(`the demo does not print ${JSON.stringify(text)} any more`);
  return at;
}

/** Without blank lines at the ends. */
function trim(lines) {
  const filled = (line) => textOf(line).trim() !== '';
  return lines.slice(lines.findIndex(filled), lines.findLastIndex(filled) + 1);
}

function must(program, args, cwd, more = {}) {
  const ran = spawnSync(program, args, { cwd, encoding: 'utf8', env: { ...bareEnvironment(), ...more } });
  if (ran.status !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${ran.status}:\n${ran.stdout}${ran.stderr}`);
}

function save(name, content) {
  writeFileSync(join(PICTURES, name), content);
  console.log(`docs/pictures/${name}  ${Math.ceil(content.length / 1024)} KB`);
}
