import { describe, expect, it } from 'vitest';
import { readSeeds, seeded } from '../../bench/review/seeds.mjs';
import { isTest } from '../../src/review/paths.ts';
import { FINDING_KINDS } from '../../src/review/finding.ts';
import { findingsIn, type Texts } from './reviewing.ts';

const { project, seeds, harmless } = readSeeds();
const testTexts = new Map(Object.entries(project).filter(([path]) => isTest(path)));

/** What a run after the seed changed, with what is gone as null. */
function after(seed: (typeof seeds)[number]): Texts {
  const files = seeded(project, seed);
  const gone = Object.keys(project).filter((path) => files[path] === undefined);
  return { ...files, ...Object.fromEntries(gone.map((path) => [path, null])) };
}

describe('a fault that was put there', () => {
  it.each(seeds.map((seed) => [seed.name, seed] as const))(
    'is found, and nothing else: %s',
    async (_, seed) => {
      const findings = await findingsIn(project, after(seed), { testTexts });
      expect([...new Set(findings.map(({ kind }) => kind))]).toEqual([seed.finds]);
      const texts = findings.map(({ text }) => text);
      // A file that was only renamed has no line to show.
      expect(texts.some((text) => seed.rename !== undefined || text.includes(seed.at ?? '?'))).toBe(true);
    },
  );

  it('is there for every kind that a change alone can show', () => {
    const others = [
      'boundary-violation',
      'claim-unsupported',
      'report-incomplete',
      'deviation-reported',
      'out-of-scope',
      'denied',
    ];
    const wanted = Object.keys(FINDING_KINDS).filter((kind) => !others.includes(kind));
    expect(wanted.filter((kind) => !seeds.some(({ finds }) => finds === kind))).toEqual([]);
  });
});

describe('a harmless edit', () => {
  it.each(harmless.map((seed) => [seed.name, seed] as const))('brings no finding: %s', async (_, seed) => {
    expect(await findingsIn(project, after(seed), { testTexts })).toEqual([]);
  });
});
