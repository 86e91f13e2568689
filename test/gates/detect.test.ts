import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CONFIG_FILE, parseConfig } from '../../src/gates/config.ts';
import { configText, detectGates, proposalsFrom } from '../../src/gates/detect/detect.ts';
import { temporaryFolder } from '../support/temporary.ts';

function from(files: { [name: string]: string }): string[] {
  const known = new Map(Object.entries(files));
  return proposalsFrom((name) => known.get(name) ?? null).map(
    ({ name, command, from }) => `${name} | ${command} | ${from}`,
  );
}

const scripts = (names: { [name: string]: string }, more: object = {}): string =>
  JSON.stringify({ scripts: names, ...more });

it('proposes the scripts of a package, quick ones first, with its own manager', () => {
  const manifest = scripts({
    test: 'vitest',
    'test:watch': 'x',
    lint: 'eslint',
    typecheck: 'tsc',
    start: 'x',
    build: 'x',
  });
  expect(from({ 'package.json': manifest })).toEqual([
    'lint | npm run lint | package.json scripts.lint',
    'typecheck | npm run typecheck | package.json scripts.typecheck',
    'build | npm run build | package.json scripts.build',
    'test | npm test | package.json scripts.test',
  ]);
  const test = scripts({ test: 'x' });
  expect(from({ 'package.json': test, 'pnpm-lock.yaml': '' })[0]).toContain('pnpm test');
  expect(from({ 'package.json': test, 'bun.lock': '' })[0]).toContain('bun run test');
  expect(
    from({
      'package.json': scripts({ test: 'x' }, { packageManager: 'yarn@4.1.0' }),
      'pnpm-lock.yaml': '',
    })[0],
  ).toContain('yarn test');
  expect(from({ 'package.json': scripts({ test: 'echo "Error: no test specified" && exit 1' }) })).toEqual(
    [],
  );
});

it('proposes what other build files say', () => {
  expect(
    from({
      Makefile:
        'VAR := test\nCC = x\n.PHONY: test lint\nlint test: deps\n\tgo test\ncheck::\n\ttrue\nother:\n',
    }),
  ).toEqual([
    'lint | make lint | Makefile target lint',
    'check | make check | Makefile target check',
    'test | make test | Makefile target test',
  ]);
  expect(
    from({
      'pyproject.toml':
        '[project]\ndependencies = [\n  "x",\n]\n[tool.ruff.lint]\n[tool.mypy]\n[tool.pytest.ini_options]\n',
    }),
  ).toEqual([
    'lint | ruff check . | pyproject.toml [tool.ruff',
    'typecheck | mypy . | pyproject.toml [tool.mypy',
    'test | python -m pytest | pyproject.toml [tool.pytest',
  ]);
  expect(from({ 'Cargo.toml': '[package]' })).toEqual(['test | cargo test | Cargo.toml']);
  expect(from({ 'go.mod': 'module x' })).toHaveLength(2);
  expect(from({})).toEqual([]);
});

it('proposes commands that notes for agents speak of, with their line, and nothing that nobody could run', () => {
  expect(
    from({
      'CLAUDE.md': [
        '# Rules',
        'Run `npm run lint` and `npm test -- --run` before you finish; never `npm run deploy`.',
        '```sh',
        '$ pytest -q   # all of them',
        'cargo test && rm -rf x',
        'npm test <file>',
        'eslint --fix .',
        '```',
        'Use pytest.',
      ].join('\n'),
      'AGENTS.md': '- `make check`\n- `npm run lint`\n- `go test ./...`\n- `vitest watch`\n',
    }),
  ).toEqual([
    'lint | npm run lint | AGENTS.md:2',
    'check | make check | AGENTS.md:1',
    'test | go test ./... | AGENTS.md:3',
    'test-2 | npm test -- --run | CLAUDE.md:2',
    'test-3 | pytest -q | CLAUDE.md:4',
  ]);
});

it('reads nothing through a link, and bears with files that are broken', () => {
  const top = temporaryFolder();
  writeFileSync(join(top, 'real.md'), '`make test`');
  symlinkSync(join(top, 'real.md'), join(top, 'AGENTS.md'));
  writeFileSync(join(top, 'package.json'), '{ broken');
  writeFileSync(join(top, 'Makefile'), `${' '.repeat(200_000)}x\ntest:\n`);
  expect(detectGates(top)).toEqual([{ name: 'test', command: 'make test', from: 'Makefile target test' }]);
});

it('writes a configuration that is read back as it was meant, whatever the files say', () => {
  const file = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('`make test`', '```\npytest "a"\n```', '`cargo test */ x`').map((text) => `${text}\n`),
  );
  fc.assert(
    fc.property(fc.record({ 'AGENTS.md': file, 'CLAUDE.md': file, Makefile: file }), (files) => {
      const known = new Map(Object.entries(files));
      const proposals = proposalsFrom((name) => known.get(name) ?? null);
      const read = parseConfig(CONFIG_FILE, Buffer.from(configText(proposals))) ?? [];
      expect(read.map(({ name, command }) => ({ name, command }))).toEqual(
        proposals.map(({ name, command }) => ({ name, command })),
      );
    }),
  );
});
