import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FoundCli } from '../../src/lanes/discover/discover.ts';
import { setLane } from '../../src/lanes/edit.ts';
import { parseFleet } from '../../src/lanes/fleet-file.ts';
import { type DialName, dialsOf } from '../../src/lanes/lane.ts';
import {
  type Answers,
  modelChoice,
  PACES,
  type ProposalCli,
  proposalClis,
  proposeLanes,
} from '../../src/lanes/propose.ts';

const RUNS = Number(process.env['BATON_PROPERTY_RUNS'] ?? 200);

function cli(key: string, more: Partial<FoundCli> = {}): FoundCli {
  return {
    key,
    binary: key,
    version: '1.2.3',
    path: `/bin/${key}`,
    authenticated: true,
    supports: [...dialsOf(key)],
    models: { status: 'unsupported', values: [], truncated: false },
    driven: true,
    state: 'ready',
    note: null,
    remedy: null,
    ...more,
  };
}

const claude = cli('claude');
const codex = cli('codex', { models: { status: 'reported', values: ['gpt-a', '$(x)'], truncated: false } });

function shortly(clis: readonly ProposalCli[], answers?: Answers) {
  return Object.fromEntries(
    proposeLanes(clis, answers).map(({ name, implementer, dials }) => [name, { implementer, ...dials }]),
  );
}

describe('the defaults', () => {
  it('let another CLI review than the one that did the work', () => {
    expect(shortly([claude, codex])).toEqual({
      mechanical: { implementer: 'claude', effort: 'low', timeout: '20m' },
      hard: { implementer: 'claude', effort: 'high', timeout: '2h' },
      review: { implementer: 'codex', effort: 'medium', timeout: '30m', readOnly: true },
    });
  });

  it('are for the one CLI where there is one', () => {
    expect(shortly([codex])).toMatchObject({
      mechanical: { implementer: 'codex' },
      review: { implementer: 'codex', readOnly: true },
    });
    expect(proposeLanes([])).toEqual([]);
  });

  it('take a CLI that is signed in, and none for a review that could not begin', () => {
    const clis = proposalClis({ discovered: [cli('claude', { authenticated: false }), codex] });
    expect(clis.map(({ key }) => key)).toEqual(['codex', 'claude']);
    expect(new Set(proposeLanes(clis).map(({ implementer }) => implementer))).toEqual(new Set(['codex']));
  });

  it('are for CLIs that baton starts and that work', () => {
    const discovered = [cli('aider', { driven: false }), cli('claude', { state: 'no-version' }), codex];
    expect(proposalClis({ discovered }).map(({ key }) => key)).toEqual(['codex']);
  });

  it('name no model', () => {
    expect(JSON.stringify(proposeLanes([codex]))).not.toContain('gpt-a');
  });
});

describe('answers', () => {
  it('decide, and are said to have', () => {
    const answers: Answers = {
      worker: 'codex',
      reviewer: 'claude',
      pace: 'careful',
      model: { of: 'codex', name: 'gpt-a' },
    };
    expect(shortly([claude, codex], answers)).toEqual({
      mechanical: { implementer: 'codex', model: 'gpt-a', effort: 'medium', timeout: '45m' },
      hard: { implementer: 'codex', model: 'gpt-a', effort: 'high', timeout: '4h' },
      review: { implementer: 'claude', effort: 'high', timeout: '1h', readOnly: true },
    });
    const [mechanical] = proposeLanes([claude, codex], answers);
    expect(mechanical?.values.map(({ field, origin }) => [field, origin])).toEqual([
      ['implementer', 'answer'],
      ['model', 'answer'],
      ['effort', 'answer'],
      ['timeout', 'answer'],
    ]);
    expect(shortly([claude, codex], { reviewer: null })).not.toHaveProperty('review');
  });

  it('choose among models only where the CLI says which it has, and a lane can name them', () => {
    expect(modelChoice([claude, codex], {})).toEqual({ of: 'codex', models: ['gpt-a'] });
    expect(modelChoice([claude, codex], { reviewer: null })).toBeUndefined();
    expect(modelChoice([claude], {})).toBeUndefined();
    expect(shortly([codex], { model: { of: 'codex', name: '$(x)' } })['hard']).not.toHaveProperty('model');
  });
});

const someCli = fc
  .record({
    key: fc.constantFrom('claude', 'codex'),
    authenticated: fc.constantFrom(true, false, null),
    version: fc.option(fc.string()),
    dropped: fc.subarray<DialName>(['model', 'effort', 'timeout', 'readOnly']),
    models: fc.record({
      status: fc.constantFrom('reported' as const, 'unsupported' as const, 'failed' as const),
      values: fc.array(fc.oneof(fc.string(), fc.constantFrom('gpt-a', 'gpt-b', '__proto__'))),
      truncated: fc.boolean(),
    }),
  })
  .map(({ dropped, key, ...rest }) =>
    cli(key, { ...rest, supports: dialsOf(key).filter((dial) => !dropped.includes(dial)) }),
  );
const someKey = fc.constantFrom('claude', 'codex', 'aider', '__proto__', '');
const someAnswers: fc.Arbitrary<Answers> = fc.record(
  {
    worker: someKey,
    reviewer: fc.option(someKey),
    pace: fc.constantFrom(...PACES),
    model: fc.option(fc.record({ of: someKey, name: fc.constantFrom('gpt-a', 'gpt-b', '-x', '$(x)') })),
  },
  { requiredKeys: [] },
);

describe('whatever is found and answered', () => {
  const clis = fc.uniqueArray(someCli, { maxLength: 2, selector: ({ key }) => key });

  it('each lane holds, has only dials and models that its CLI has, and says where every value came from', () => {
    fc.assert(
      fc.property(clis, someAnswers, (found, answers) => {
        const lanes = proposeLanes(found, answers);
        expect(lanes.length === 0).toBe(found.length === 0);
        const text = lanes.reduce<string | null>((file, lane) => setLane(file, lane.name, lane), null);
        const read = text === null ? [] : parseFleet(Buffer.from(text)).lanes;
        expect(read).toEqual(
          lanes.map(({ name, implementer, dials }) => ({ name, problem: null, implementer, dials })),
        );
        for (const { name, implementer, dials, values } of lanes) {
          const of = found.find(({ key }) => key === implementer);
          expect(Object.keys(dials).filter((dial) => !of?.supports.some((one) => one === dial))).toEqual([]);
          expect(values.map(({ field }) => field).sort()).toEqual(
            ['implementer', ...Object.keys(dials)].sort(),
          );
          expect([undefined, ...(of?.models.values ?? [])]).toContain(dials.model);
          expect(dials.readOnly ?? false).toBe(name === 'review');
        }
      }),
      { numRuns: RUNS },
    );
  });
});
