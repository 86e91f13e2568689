import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt } from '../support/build.ts';
import { PROJECT } from '../support/project.ts';
import { type Block, type Page, pages } from './markdown.ts';
import { described, everyCommand } from './program.ts';

beforeAll(ensureBuilt);

const all = pages();
const taught = all.filter(({ path }) => path.startsWith('skills/'));

describe.each(all.map((page) => ({ ...page, name: page.path })))('$name', (page) => {
  it('names no command and no flag that there is not', () => {
    expect(calls(page).flatMap(wrongIn)).toEqual([]);
  });

  it('links to files that are there', () => {
    const folder = dirname(join(PROJECT, page.path));
    expect(page.links.filter((to) => !existsSync(join(folder, to)))).toEqual([]);
  });

  it('imports from the library only what it exports', async () => {
    const wrong: string[] = [];
    for (const { from, names } of page.blocks.flatMap(importsIn)) {
      const known = await exportsOf(from);
      wrong.push(...names.filter((name) => !known.has(name)).map((name) => `${name} from '${from}'`));
    }
    expect(wrong).toEqual([]);
  });

  it('names no path of the project that there is not', () => {
    const paths = page.spans.filter((span) =>
      /^(?:docs|src|test|conformance|scripts|bench|prompts)\/[\w./-]*$/.test(span),
    );
    expect(paths.filter((path) => !existsSync(join(PROJECT, path)))).toEqual([]);
  });

  it('names no field of a block of the result that there is not', () => {
    const fields = page.spans.filter((span) =>
      /^(?:process|agent|evidence|stream|cost)\.(?!argv)[a-zA-Z.]+$/.test(span),
    );
    expect(fields.filter((field) => !FIELDS.has(field.split('.').at(-1) ?? ''))).toEqual([]);
  });
});

describe.each(taught.map((page) => ({ ...page, name: page.path })))('$name teaches', (page) => {
  it('fields of the records only', () => {
    const names = page.spans.filter((span) => /^[a-z]+(?:[A-Z][a-z]*)+$/.test(span));
    expect(names.filter((name) => !FIELDS.has(name))).toEqual([]);
  });

  it('words of the records only', () => {
    const words = page.spans.filter((span) => /^[a-z]+(?:[-_][a-z]+)+$/.test(span));
    const others = new Set([...blocksOfBriefs(), 'baton-relay']);
    expect(words.filter((word) => !WORDS.has(word) && !others.has(word))).toEqual([]);
  });
});

describe('these checks', () => {
  it('see the commands and flags that are there', () => {
    expect(everyCommand().map((path) => path.join(' '))).toEqual(
      expect.arrayContaining(['dispatch', 'brief check', 'gates approve']),
    );
    expect(all.flatMap(calls).length).toBeGreaterThan(50);
    expect(all.flatMap(({ blocks }) => blocks.flatMap(importsIn)).length).toBeGreaterThan(3);
  });

  it.each([
    ['baton dispach --brief x', '"baton dispach": there is no such command'],
    ['baton dispatch --breif x', '"baton dispatch" has no flag --breif'],
    ['npx baton-relay brief nww', '"baton brief nww": there is no such command'],
    ['git diff | baton ask --promt review', '"baton ask" has no flag --promt'],
    ['--no-such-flag', 'no command has the flag --no-such-flag'],
  ])('find what is wrong in %s', (call, problem) => {
    expect(wrongIn(call)).toEqual([problem]);
  });

  it('find what the library does not export', async () => {
    const block = { language: 'ts', heading: '', lines: ["import { dispatch, nope } from 'baton-relay';"] };
    const [found] = importsIn(block);
    const known = await exportsOf('baton-relay');
    expect(found?.names.filter((name) => !known.has(name))).toEqual(['nope']);
  });

  it.each([
    'baton land -m "x --y"',
    'baton undo',
    'npm run demo -- --implementer claude',
    'baton brief',
    '--touch',
  ])('find nothing wrong in %s', (call) => {
    expect(wrongIn(call)).toEqual([]);
  });
});

/** Command lines that a page shows, and flags that it speaks of by themselves. */
function calls({ spans, shell }: Page): string[] {
  return [...spans, ...shell.map((line) => line.replace(/\s#\s.*$/, ''))].filter(
    (text) => /(?:^|[\s|&;(])(?:baton|npx baton-relay)\s/.test(`${text} `) || /^--[a-z]/.test(text),
  );
}

function wrongIn(call: string): string[] {
  if (/^--[a-z]/.test(call)) {
    const flag = /^--[a-z-]+/.exec(call)?.[0] ?? '';
    return OTHERS.has(flag) || everyFlag().has(flag) ? [] : [`no command has the flag ${flag}`];
  }
  // A word in quotes is a value, and what stands in angle brackets or an ellipsis is for the reader to fill in.
  const plain = call.replace(/"[^"]*"|'[^']*'/g, 'x').replace(/\s[<[(…].*?[>\])…]/g, ' x');
  return plain.split(/\||&&|;|\$\(/).flatMap((part) => {
    const line = /(?:^|\s)(?:baton|npx baton-relay)(\s.*)?$/.exec(part)?.[1];
    return line === undefined ? [] : wrongIn1(line.trim().split(/\s+/));
  });
}

function wrongIn1(words: readonly string[]): string[] {
  const path: string[] = [];
  for (const word of words) {
    const here = described(path);
    if (!here || here.subcommands.size === 0 || !/^[a-z][a-z-]*$/.test(word)) break;
    if (!here.subcommands.has(word))
      return [`"baton ${[...path, word].join(' ')}": there is no such command`];
    path.push(word);
  }
  const name = ['baton', ...path].join(' ');
  const flags = words.flatMap((word) => /^(--[a-z][a-z-]*)(?:=.*)?$/.exec(word)?.[1] ?? []);
  const known = described(path)?.flags ?? new Set();
  return flags.filter((flag) => !known.has(flag)).map((flag) => `"${name}" has no flag ${flag}`);
}

/** What code of a page takes from the package. */
function importsIn({ language, lines }: Block): { from: string; names: string[] }[] {
  if (!/^(?:ts|js|mjs)$/.test(language)) return [];
  const imports = /import (?:type )?\{([^}]*)\} from '(baton-relay(?:\/skills)?)'/g;
  return [...lines.join('\n').matchAll(imports)].map(([, names = '', from = '']) => ({
    from,
    names: names
      .split(',')
      .map((name) =>
        name
          .trim()
          .replace(/^type /, '')
          .replace(/ as .*/, ''),
      )
      .filter(Boolean),
  }));
}

/** Names that a built entry of the package exports: its types, values among them. */
async function exportsOf(entry: string): Promise<ReadonlySet<string>> {
  const name = entry === 'baton-relay' ? 'index' : 'skills';
  const values: object = await import(pathToFileURL(join(PROJECT, 'lib', `${name}.js`)).href);
  const types = readFileSync(join(PROJECT, 'dist', 'lib', `${name}.d.ts`), 'utf8');
  const listed = /export \{([^}]*)\};?\s*$/.exec(types)?.[1] ?? '';
  const typeNames = listed.split(',').map((one) =>
    one
      .trim()
      .replace(/^type /, '')
      .replace(/.* as /, ''),
  );
  return new Set([...Object.keys(values), ...typeNames]);
}

/** Flags of the agent CLIs that the pages speak of. */
const OTHERS: ReadonlySet<string> = new Set([
  '--continue',
  '--ignore-rules',
  '--json-schema',
  '--last',
  '--output-schema',
  '--resume',
  '--settings',
  '--tools',
]);

function everyFlag(): ReadonlySet<string> {
  return new Set([[], ...everyCommand()].flatMap((path) => [...(described(path)?.flags ?? [])]));
}

/** Names and words of the published schemas. */
function vocabulary(): { fields: Set<string>; words: Set<string> } {
  const fields = new Set<string>();
  const words = new Set<string>();
  const folder = join(PROJECT, 'docs', 'contracts');
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.schema.json')))
    walk(JSON.parse(readFileSync(normalize(join(folder, file)), 'utf8')));
  return { fields, words };

  function walk(node: unknown): void {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === 'properties' && typeof value === 'object')
        for (const name of Object.keys(value)) fields.add(name);
      if (key === 'const' && typeof value === 'string') words.add(value);
      if (key === 'enum' && Array.isArray(value)) for (const word of value) words.add(String(word));
      walk(value);
    }
  }
}

const { fields: FIELDS, words: WORDS } = vocabulary();

function blocksOfBriefs(): string[] {
  return [...readFileSync(join(PROJECT, 'src', 'briefs', 'kinds.ts'), 'utf8').matchAll(/'([a-z_]+)'/g)].map(
    ([, name]) => name ?? '',
  );
}
