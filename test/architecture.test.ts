import { describe, expect, it } from 'vitest';
import { type Import, loadedWith, parseSource, type SourceFile, sourceFiles } from './support/source.ts';

/** From the ground up. A folder imports from lower floors only, never from another folder of its own floor. */
const FLOORS: { [folder: string]: number } = {
  core: 0,
  git: 1,
  process: 1,
  stream: 1,
  rundir: 2,
  'scripted-model': 2,
  trust: 2,
  targets: 2,
  implementers: 3,
  evidence: 3,
  prompts: 1,
  running: 4,
  gates: 4,
  lanes: 4,
  skills: 4,
  answers: 4,
  dispatch: 5,
  review: 5,
  landing: 5,
  publishing: 5,
  generate: 6,
  briefs: 5,
  verbs: 8,
  commands: 9,
};
/** The files in `src` itself: the programs and the library's front door. */
const ROOF = 10;

/** Loaded only when needed: each costs tens of milliseconds, and the CLI wraps every agent run. */
const HEAVY = ['zod', 'yaml', 'ajv', 'jsonc-parser', '@clack/prompts', 'mdast-util-from-markdown', 'diff'];

const MAX_LINES = 350;

const files = sourceFiles('src');

describe('the floors', () => {
  it('gives every folder of src a floor', () => {
    const folders = files.map((file) => folderOf(file.path)).filter((folder) => folder !== null);
    expect([...new Set(folders)].filter((folder) => FLOORS[folder] === undefined)).toEqual([]);
  });

  it('imports downwards only, types too', () => {
    expect(everyImport((one, file) => problemWith(file.path, one))).toEqual([]);
  });

  it('names the file with its ending', () => {
    expect(
      everyImport((one) => (one.file === null || one.file.endsWith('.ts') ? null : 'lacks .ts')),
    ).toEqual([]);
  });

  it('keeps agent CLIs apart: none knows another', () => {
    expect(everyImport(strangers)).toEqual([]);
  });
});

describe('a library, not a program', () => {
  it('leaves arguments, exit, signals and the terminal to the programs', () => {
    const faces = files.filter((file) => isFace(file.path));
    expect(faces.length).toBeGreaterThan(0);
    const others = files.filter((file) => !isFace(file.path));
    expect(others.flatMap((file) => file.programOnly.map((use) => `${file.path}: ${use}`))).toEqual([]);
  });
});

describe('the start', () => {
  it('imports zod as a namespace: by name it cannot be shaken', () => {
    expect(everyImport(namedFromZod)).toEqual([]);
  });

  it.each(files.filter((file) => onDispatchPath(file.path)).map((file) => file.path))(
    'loads nothing heavy with %s',
    (entry) => {
      const { packages } = loadedWith(entry, files);
      expect(
        [...packages].filter((name) => HEAVY.some((heavy) => name === heavy || name.startsWith(`${heavy}/`))),
      ).toEqual([]);
    },
  );
});

describe('the size of things', () => {
  it(`has no file of more than ${MAX_LINES} lines`, () => {
    expect(
      files.filter((file) => file.lines > MAX_LINES).map((file) => `${file.path}: ${file.lines}`),
    ).toEqual([]);
  });
});

describe('these checks themselves', () => {
  it.each([
    `import { x } from '../verbs/x.ts';`,
    `import type { X } from '../verbs/x.ts';`,
    `import { type X } from '../stream/x.ts';`,
    `export * from '../process/x.ts';`,
    `const x = await import('../commands/x.ts');`,
    `let x: import('../running/x.ts').X;`,
    `import x from '../main.ts';`,
  ])('finds the wrong way in %s', (text) => {
    expect(problemsIn(text)).toHaveLength(1);
  });

  it.each([`import { x } from '../core/x.ts';`, `import { x } from './x.ts';`, `import fs from 'node:fs';`])(
    'finds nothing wrong in %s',
    (text) => {
      expect(problemsIn(text)).toEqual([]);
    },
  );

  it('sees what only a program may do', () => {
    const text = `process.on('SIGINT', f); process.exit(1); console.log(process.argv); process.platform; child.on('exit', f);`;
    expect(parseSource('src/core/a.ts', text).programOnly).toEqual([
      `process.on('SIGINT')`,
      'process.exit',
      'console.log',
      'process.argv',
    ]);
  });
});

function folderOf(path: string): string | null {
  const [, folder, below] = path.split('/');
  return folder !== undefined && below !== undefined ? folder : null;
}

function floorOf(path: string): number {
  const folder = folderOf(path);
  return folder === null ? ROOF : (FLOORS[folder] ?? ROOF);
}

function problemWith(from: string, { file }: Import): string | null {
  if (file === null || (folderOf(file) !== null && folderOf(file) === folderOf(from))) return null;
  const [here, there] = [floorOf(from), floorOf(file)];
  return there < here || (here === ROOF && there === ROOF)
    ? null
    : `${file} is on floor ${there}, not below ${here}`;
}

/** What is wrong with the imports of a text that would lie in `src/git`. */
function problemsIn(text: string): string[] {
  const { path, imports } = parseSource('src/git/a.ts', text);
  return imports.flatMap((one) => problemWith(path, one) ?? []);
}

/** The agent CLI whose folder a file lies in. */
function agentOf(path: string): string | undefined {
  return /^src\/implementers\/([^/]+)\//.exec(path)?.[1];
}

function strangers(one: Import, file: SourceFile): string | null {
  const [own, other] = [agentOf(file.path), one.file && agentOf(one.file)];
  return own && other && own !== other ? `reaches into ${other}` : null;
}

function namedFromZod(one: Import): string | null {
  return one.specifier.startsWith('zod') && !one.typeOnly && one.names.length > 0
    ? 'use import * as z'
    : null;
}

function everyImport(check: (one: Import, file: SourceFile) => string | null): string[] {
  return files.flatMap((file) =>
    file.imports.flatMap((one) => {
      const problem = check(one, file);
      return problem === null ? [] : `${file.path} imports ${one.specifier}: ${problem}`;
    }),
  );
}

/** What talks to a shell: the programs. The commands are handed their terminal. */
function isFace(path: string): boolean {
  return folderOf(path) === null || path === 'src/implementers/scripted/cli.ts';
}

/** What every dispatch loads: the programs, the dispatch command and all that lies below it. (The library's front door also has skills.) */
function onDispatchPath(path: string): boolean {
  return /^src\/(?:main|start|(?:claude|codex)-relay)\.ts$|^src\/(?:commands|verbs)\/dispatch\.ts$|^src\/(?:dispatch|running|evidence)\//.test(
    path,
  );
}
