/** `script` is JavaScript and TypeScript. */
export type Language = 'script' | 'python' | 'other';

export function languageOf(path: string): Language {
  if (/\.[cm]?[jt]sx?$|\.(?:vue|svelte)$/i.test(path)) return 'script';
  return /\.pyi?$/i.test(path) ? 'python' : 'other';
}

/** Whether a runner would take this file for tests, by the usual names. */
export function isTest(path: string): boolean {
  if (isSnapshot(path)) return false;
  const script =
    /(?:^|\/)[^/]*[._-](?:test|tests|spec|e2e|cy)\.[cm]?[jt]sx?$|(?:^|\/)(?:test|tests|spec)\.[cm]?[jt]sx?$/i;
  const python = /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests)\.py$/;
  const others = /_test\.go$|_spec\.rb$|(?:Test|Tests|IT)\.(?:java|kt|cs)$|(?:^|\/)tests?\/[^/]*\.rs$/;
  const folder = /(?:^|\/)(?:__tests__|tests?|specs?)\/.*\.(?:[cm]?[jt]sx?|py)$/i;
  return (
    script.test(path) || python.test(path) || others.test(path) || (folder.test(path) && !isSupport(path))
  );
}

/** Beside tests, and none itself. */
function isSupport(path: string): boolean {
  return /(?:^|\/)(?:fixtures?|__fixtures__|__mocks__|mocks|support|helpers?|utils?|data|snapshots)\/|(?:^|\/)(?:conftest|__init__)\.py$/i.test(
    path,
  );
}

/** Whether the code is for tests, examples or benchmarks, and not the product itself. */
export function isAroundProduct(path: string): boolean {
  return (
    isTest(path) ||
    /(?:^|\/)(?:__tests__|tests?|specs?|fixtures?|__fixtures__|__mocks__|examples?|bench(?:mark)?s?|scripts?|tools|docs?|demos?|e2e)\//i.test(
      path,
    ) ||
    /(?:^|\/)conftest\.py$/.test(path)
  );
}

export function isSnapshot(path: string): boolean {
  return /\.snap$|\.ambr$|(?:^|\/)(?:__snapshots__|__image_snapshots__)\/|-snapshots\/[^/]+$|\.(?:golden|approved\.[^/]+)$/.test(
    path,
  );
}

const LOCK_FILES =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|poetry\.lock|pdm\.lock|uv\.lock|Pipfile\.lock|Cargo\.lock|go\.sum|Gemfile\.lock|composer\.lock|flake\.lock)$/;

export function isLockFile(path: string): boolean {
  return LOCK_FILES.test(path);
}

/** Why a path is taken for generated or vendored; null where it is not. */
export function generatedBy(path: string): string | null {
  if (/(?:^|\/)(?:vendor|vendored|third[_-]party|node_modules|bower_components)\//.test(path))
    return 'the path is one of vendored code';
  if (/(?:^|\/)(?:dist|generated|__generated__|\.next|site-packages)\//.test(path))
    return 'the path is one of built or generated code';
  return /\.min\.(?:js|css)$|\.(?:gen|generated)\.[^/]+$|_pb2(?:_grpc)?\.pyi?$|\.pb\.(?:go|cc|h)$|\.bundle\.js$/.test(
    path,
  )
    ? 'the name is one of generated code'
    : null;
}

const GATE_FILES: readonly [RegExp, string][] = [
  [
    /(?:^|\/)\.github\/(?:workflows|actions)\/|(?:^|\/)(?:\.gitlab-ci\.ya?ml|\.travis\.yml|Jenkinsfile|azure-pipelines\.ya?ml|bitbucket-pipelines\.yml|appveyor\.yml|\.drone\.yml|codecov\.ya?ml|\.codecov\.yml)$|(?:^|\/)\.(?:circleci|buildkite)\//,
    'continuous integration',
  ],
  [
    /(?:^|\/)(?:\.eslintrc(?:\.[a-z]+)?|\.eslintignore|eslint\.config\.[cm]?[jt]s|biome\.jsonc?|\.?oxlint(?:rc)?\.jsonc?|tslint\.json|\.pylintrc|pylintrc|ruff\.toml|\.ruff\.toml|\.flake8|\.golangci\.ya?ml|clippy\.toml|\.rubocop\.yml|knip\.jsonc?)$/,
    'lint rules',
  ],
  [/(?:^|\/)(?:tsconfig[^/]*\.json|mypy\.ini|\.mypy\.ini|pyrightconfig\.json)$/, 'type checks'],
  [
    /(?:^|\/)(?:(?:jest|vitest|karma|playwright|cypress|ava|wdio|jasmine)\.(?:config|conf|workspace)\.[cm]?[jt]sx?|jest\.config\.json|\.mocharc(?:\.[a-z]+)?|\.taprc|pytest\.ini|tox\.ini|noxfile\.py|conftest\.py)$/,
    'the test runner',
  ],
  [/(?:^|\/)(?:\.nycrc(?:\.[a-z]+)?|\.c8rc(?:\.json)?|\.coveragerc|\.istanbul\.yml)$/, 'coverage'],
  [
    /(?:^|\/)(?:\.pre-commit-config\.yaml|lefthook\.ya?ml|\.lintstagedrc[^/]*|lint-staged\.config\.[cm]?js)$|(?:^|\/)\.husky\//,
    'commit hooks',
  ],
  [
    /(?:^|\/)(?:Makefile|GNUmakefile|justfile|Justfile|Taskfile\.ya?ml|baton\.config\.json)$/,
    "the project's commands",
  ],
];

/** Of what a file is the configuration; null where it is none that a gate goes by. */
export function gateOf(path: string): string | null {
  return GATE_FILES.find(([form]) => form.test(path))?.[1] ?? null;
}
