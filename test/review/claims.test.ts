import { describe, expect, it } from 'vitest';
import type { GateFact } from '../../src/review/gate-fact.ts';
import type { ToolCall } from '../../src/review/timeline.ts';
import { findingsOf } from '../../src/review/detect/all.ts';
import { changed, resultFor } from './reviewing.ts';

const BEFORE = { 'src/cart.ts': 'a\n', 'docs/cart.md': 'b\n' };

async function claimsOf(
  finalMessage: string,
  more: { gates?: GateFact[]; calls?: ToolCall[]; after?: { [path: string]: string } } = {},
): Promise<string[]> {
  const files = await changed(BEFORE, more.after ?? { 'src/cart.ts': 'c\n' });
  const findings = findingsOf({
    result: resultFor(files, { finalMessage }),
    files,
    gates: more.gates ?? null,
    calls: more.calls ?? [],
    testTexts: new Map(),
  });
  return findings.filter(({ kind }) => kind === 'claim-unsupported').map(({ detail }) => detail);
}

function ran(command: string, ok: boolean | null = true): ToolCall {
  return { kind: 'tool', tool: 'Bash', command, path: null, input: '', output: '', ok, subagent: false };
}

const EDIT: ToolCall = { ...ran('x'), tool: 'Edit', command: null, path: '/repo/src/cart.ts' };

function gate(name: string, outcome: GateFact['outcome']): GateFact {
  return { name, command: `run ${name}`, outcome, detail: null };
}

describe('a claim that checks pass', () => {
  it.each([
    'All tests pass.',
    'All 12 tests are passing now',
    '- ✅ The test suite passes',
    'Everything is done and the tests are green.',
    'Ran vitest: 24/24 tests passed',
    'The tests pass with no failures.',
  ])('is doubted where the gate failed, or no such command was seen: %s', async (claim) => {
    expect(await claimsOf(claim, { gates: [gate('test', 'failed')] })).toEqual([
      'it says that the tests pass; the gate "test" failed',
    ]);
    expect(await claimsOf(claim)).toHaveLength(1);
    expect(await claimsOf(claim, { gates: [gate('test', 'passed')] })).toEqual([]);
  });

  it.each([
    'Not all tests pass.',
    'The tests do not pass yet.',
    'I could not run the tests; they should pass.',
    'Two tests fail, the others pass.',
    'Run the tests before you merge.',
    '```\nAll tests pass\n```',
    'I made sure that the tests would pass if run.',
    'The function passes its tests array to the runner that fails.',
  ])('is not seen in %j', async (text) => {
    expect(await claimsOf(text, { gates: [gate('test', 'failed')] })).toEqual([]);
  });

  it.each([
    'npm test',
    'npx vitest run src',
    'cd x && python -m pytest -q',
    'node --test',
    'cargo test',
    'pnpm run test:unit',
    'make test',
  ])(
    'is believed where the last such command went well, and nothing was edited after it: %s',
    async (command) => {
      const claim = 'All tests pass.';
      expect(await claimsOf(claim, { calls: [ran(command)] })).toEqual([]);
      expect(await claimsOf(claim, { calls: [ran(command, false), ran(command)] })).toEqual([]);
      expect(await claimsOf(claim, { calls: [ran(command), ran(command, false)] })).toHaveLength(1);
      const [stale] = await claimsOf(claim, { calls: [ran(command), EDIT] });
      expect(stale).toContain('cart.ts was edited after the last such command');
      expect(await claimsOf(claim, { calls: [ran(command), { ...EDIT, path: 'NOTES.md' }] })).toEqual([]);
    },
  );

  it('is held against its own gate only', async () => {
    const gates = [
      gate('lint', 'failed'),
      gate('test', 'passed'),
      gate('typecheck', 'failed'),
      gate('build', 'failed'),
    ];
    expect(await claimsOf('All tests pass.', { gates })).toEqual([]);
    expect(await claimsOf('ESLint is clean.', { gates })).toEqual([
      'it says that the lint is clean; the gate "lint" failed',
    ]);
    expect(await claimsOf('tsc passes with no errors.', { gates })).toEqual([
      'it says that the types check; the gate "typecheck" failed',
    ]);
    expect(await claimsOf('The build succeeds.', { gates })).toEqual([
      'it says that the build succeeds; the gate "build" failed',
    ]);
  });
});

describe('a claim that a file was changed', () => {
  it.each([
    'Updated `docs/cart.md`.',
    '- **docs/cart.md**: updated the rule',
    '* `docs/cart.md` – added a section',
    'I modified docs/cart.md to match.',
    'Created the file docs/cart.md with the rule.',
    'Rewrote [docs/cart.md](docs/cart.md).',
  ])('is doubted where it was not: %s', async (claim) => {
    expect(await claimsOf(claim)).toEqual([
      'it says that docs/cart.md was changed; no file of that name was',
    ]);
    expect(await claimsOf(claim, { after: { 'docs/cart.md': 'new\n' } })).toEqual([]);
  });

  it.each([
    'Updated `src/cart.ts` to match docs/cart.md.',
    'Updated `cart.ts`.',
    'Updated ./src/cart.ts and nothing else.',
    'I did not change docs/cart.md.',
    'docs/cart.md is unchanged.',
    'The rule in docs/cart.md could be updated later.',
    'See docs/cart.md.',
    'Fixed the bug that docs/cart.md describes.',
    'Added support for package.json files.',
    'docs/cart.md: the rule stands as it was.',
  ])('is not seen in %j', async (text) => {
    expect(await claimsOf(text)).toEqual([]);
  });

  it('covers tests that it says it wrote', async () => {
    expect(await claimsOf('I added three unit tests.')).toEqual([
      'it speaks of tests that it wrote; no test file changed',
    ]);
    expect(await claimsOf('I added three unit tests.', { after: { 'src/cart.test.ts': '' } })).toEqual([]);
    expect(await claimsOf('I added no tests.')).toEqual([]);
  });

  it('is doubted where nothing changed at all', async () => {
    expect(await claimsOf('I fixed the rounding.', { after: BEFORE })).toEqual([
      'it reports changes; nothing in the tree changed',
    ]);
    expect(await claimsOf('Nothing had to be changed.', { after: BEFORE })).toEqual([]);
  });
});

it('takes no time that grows faster than the report', async () => {
  for (const piece of ['a.', '`a/', 'updated the ', 'tests ', '```\n', '- ', '**'])
    expect(await claimsOf(piece.repeat(30_000))).toEqual([]);
}, 60_000);
