import { isObject, type JsonObject } from '../core/json.ts';
import { CONFIG_FILE } from './config.ts';
import type { Gate } from './gate.ts';
import { matching } from './globs.ts';

/** Files that decide what a gate does and what passes: task runners, CI, hooks, and the settings of tests and linters. */
const DECIDING: readonly string[] = [
  CONFIG_FILE,
  '**/{Makefile,makefile,GNUmakefile,*.mk,justfile,.justfile,Rakefile,noxfile.py,tox.ini,Taskfile.yml,Taskfile.yaml}',
  '.github/{workflows,actions}',
  '{.gitlab-ci.yml,.travis.yml,Jenkinsfile,azure-pipelines.yml,bitbucket-pipelines.yml,.drone.yml}',
  '{.circleci,.buildkite,.husky,.ci}',
  '{.pre-commit-config.yaml,lefthook.yml,.lefthook.yml,.lintstagedrc*}',
  '**/{vitest,vite,jest,playwright,cypress,eslint,prettier,biome,knip,karma,ava,stylelint}.config.*',
  '**/{.eslintrc*,.eslintignore,.prettierrc*,.prettierignore,biome.json,biome.jsonc,.oxlintrc.json,.mocharc*,.c8rc*,.nycrc*}',
  '**/{tsconfig.json,tsconfig.*.json,deno.json,deno.jsonc}',
  '**/{pyproject.toml,setup.cfg,pytest.ini,.coveragerc,mypy.ini,.mypy.ini,ruff.toml,.ruff.toml,.flake8,.pylintrc,conftest.py}',
  '**/{.golangci.yml,.golangci.yaml,clippy.toml,.clippy.toml,rustfmt.toml,phpunit.xml*,.rubocop.yml}',
];

export interface TwoTrees {
  /** Paths that differ. */
  changed: readonly string[];
  /** The text of a file before the run, and now; null where there is none. */
  read(path: string): Promise<{ before: string | null; now: string | null }>;
}

/**
 * The changed paths that decide about the gates themselves, so that a pass means less than it seems: configuration, CI,
 * files that a gate's command names, and the scripts of a `package.json`.
 */
export async function decidedBy(trees: TwoTrees, gates: readonly Gate[]): Promise<string[]> {
  const named = new Set(gates.flatMap(wordsOf));
  const found = new Set(await matching(trees.changed, DECIDING));
  for (const path of trees.changed) {
    if (named.has(path)) found.add(path);
    if (/(?:^|\/)package\.json$/.test(path) && (await changesScripts(trees, path))) found.add(path);
  }
  return [...found].sort();
}

/** Takes the file that comes next and does what it says. */
const INTERPRETER =
  /^(?:sh|bash|dash|zsh|ksh|node|tsx|deno|bun|python[\d.]*|ruby|perl|php|pwsh|source|\.|exec|env|time|make)$/;
const CONFIG_FLAG = /^(?:-c|--config|--config-file|--rcfile)$/;

/** The files that a command runs, or is told to go by, as paths from the top. What it merely looks at is no such file. */
function wordsOf({ command, cwd }: Gate): string[] {
  const folder = cwd === '.' ? '' : `${cwd.replace(/^\.\//, '').replace(/\/+$/, '')}/`;
  return command
    .split(/[;&|()\n]+/)
    .flatMap(decidingWords)
    .map((word) => `${folder}${word.replace(/^(?:\.\/)+/, '')}`);
}

function decidingWords(simple: string): string[] {
  const words = simple.split(/[\s'"`]+/).filter((word) => word !== '' && !/^[A-Za-z_]\w*=/.test(word));
  let runs = true;
  return words.flatMap((word, at) => {
    const [flag = '', value] = word.split('=', 2);
    if (CONFIG_FLAG.test(flag) && value !== undefined) return [value];
    if (CONFIG_FLAG.test(words[at - 1] ?? '')) return [word];
    if (!runs || word.startsWith('-')) return [];
    runs = INTERPRETER.test(word);
    return runs ? [] : [word];
  });
}

/** Dependencies come and go; these fields say what is run. */
async function changesScripts(trees: TwoTrees, path: string): Promise<boolean> {
  const { before, now } = await trees.read(path);
  const [old, fresh] = [parse(before), parse(now)];
  if (!old || !fresh) return before !== now;
  return ['scripts', 'baton', 'jest', 'eslintConfig', 'lint-staged', 'mocha', 'c8', 'nyc'].some(
    (field) => JSON.stringify(old[field]) !== JSON.stringify(fresh[field]),
  );
}

function parse(text: string | null): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
