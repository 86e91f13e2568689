import { describe, expect, it } from 'vitest';
import { readReport } from '../../src/dispatch/report.ts';
import { findingsOf } from '../../src/review/detect/all.ts';
import type { GateFact } from '../../src/review/gate-fact.ts';
import type { ToolCall } from '../../src/review/timeline.ts';
import type { Change, Result } from '../../src/rundir/result.ts';
import { changed, resultFor } from './reviewing.ts';

interface More {
  gates?: GateFact[];
  calls?: ToolCall[];
}

async function found(finalMessage: string, { gates, calls = [] }: More = {}): Promise<string[]> {
  const files = await changed({ 'src/cart.ts': 'a\n', 'package.json': '{}\n' }, { 'src/cart.ts': 'c\n' });
  const result = resultFor(files, { finalMessage });
  const report = readReport(finalMessage);
  if (report === null) throw new Error('the text has no report');
  result.agent.report = report;
  return findingsOf({ result, files, gates: gates ?? null, calls, testTexts: new Map() })
    .filter(({ kind }) => /^(?:claim|report|deviation)/.test(kind))
    .map(({ kind, detail }) => `${kind}: ${detail}`);
}

function ran(command: string, ok: boolean): ToolCall {
  return { kind: 'tool', tool: 'Bash', command, path: null, input: '', output: '', ok, subagent: false };
}

const EDIT: ToolCall = { ...ran('x', true), tool: 'Edit', command: null, path: '/repo/src/cart.ts' };

function report(files: string, gates: string): string {
  return `## Files\n${files}\n## Gates\n${gates}\n`;
}

describe('what the report lists', () => {
  it('is no finding where it is so', async () => {
    expect(
      await found(report('- src/cart.ts: mended', '- `npm test`: passed'), {
        calls: [EDIT, ran('npm test', true)],
      }),
    ).toEqual([]);
  });

  it('is doubted file by file, both ways', async () => {
    expect(await found(report('- `src/basket.ts`: updated', 'none'))).toEqual([
      'claim-unsupported: its report lists src/basket.ts; no file of that name was changed',
      'report-incomplete: the run changed it, and its report does not list it',
    ]);
  });

  it('takes a folder for the files in it, and a file that is said to be unchanged for that', async () => {
    expect(await found(report('- src/: mended\n- package.json: not changed', 'none'))).toEqual([]);
  });

  it.each([
    [
      'baton ran it, and it failed',
      { gates: [{ name: 'test', command: 'npm  test', outcome: 'failed', detail: null }] },
    ],
    ['it was not seen in its stream', {}],
    ['the last time it ran, it failed', { calls: [ran('npm test', true), ran('npm test', false)] }],
    ['cart.ts was edited after that', { calls: [ran('cd a && npm test', true), EDIT] }],
  ] satisfies [string, More][])('is doubted of a gate: %s', async (why, more) => {
    expect(await found(report('- src/cart.ts', '- `npm test`: passed'), more)).toEqual([
      `claim-unsupported: its report says that \`npm test\` passed; ${why}`,
    ]);
  });

  it('believes baton before the stream, and a report of failure', async () => {
    const gates: GateFact[] = [{ name: 'test', command: 'npm test', outcome: 'passed', detail: null }];
    expect(await found(report('- src/cart.ts', '- `npm test`: passed'), { gates })).toEqual([]);
    expect(await found(report('- src/cart.ts', '- `npm test`: failed, see above'))).toEqual([]);
  });

  it.each(['Unit tests', 'tests'])('is a sentence where it is no command: %s', async (name) => {
    const text = report('- src/cart.ts', `- ${name}: 12 passed`);
    expect(await found(text, { calls: [EDIT, ran('npx vitest', true)] })).toEqual([]);
    expect(await found(text, { calls: [EDIT] })).toEqual([expect.stringMatching(/^claim-unsupported: /)]);
  });

  it('shows deviations and questions', async () => {
    expect(
      await found(
        '## Files\n- src/cart.ts\n## Deviations\n- kept the old name\n## Questions\n- Is it public?\n',
      ),
    ).toEqual(['deviation-reported: it left the brief here', 'deviation-reported: it needs an answer']);
  });
});

describe('what the report of a run that was sent back lists', () => {
  const change = (path: string): Change => ({
    path,
    kind: 'modified',
    added: 1,
    deleted: 1,
    preexisting: false,
  });

  /** The findings of runs that together changed src/cart.ts. */
  async function foundIn(...chain: { changed: string[]; finalMessage: string }[]): Promise<string[]> {
    const files = await changed({ 'src/cart.ts': 'a\n' }, { 'src/cart.ts': 'c\n' });
    const runs = chain.map(({ changed: paths, finalMessage }): Result => {
      const run = resultFor(files, { finalMessage });
      const said = readReport(finalMessage);
      if (said !== null) run.agent.report = said;
      return { ...run, evidence: { ...run.evidence, changes: paths.map(change) } };
    });
    const last = runs.at(-1) ?? resultFor(files);
    const result = { ...last, evidence: resultFor(files).evidence };
    return findingsOf({ result, runs, files, gates: null, calls: [], testTexts: new Map() })
      .filter(({ kind }) => /^(?:claim|report)/.test(kind))
      .map(({ detail }) => detail);
  }

  const first = { changed: ['src/cart.ts', 'a.ts'], finalMessage: report('- src/cart.ts', 'none') };

  it('is what that run changed, though the runs together leave it as it was', async () => {
    const second = { changed: ['a.ts'], finalMessage: report('- a.ts: removed', 'none') };
    expect(await foundIn(first, second)).toEqual([]);
    expect(
      await foundIn(first, { changed: ['a.ts'], finalMessage: 'Removed `a.ts`. Updated `b.ts`.' }),
    ).toEqual(['it says that b.ts was changed; no file of that name was']);
  });

  it('need not name what an earlier run told, and has to name what none did, or what it changed again', async () => {
    const untold = 'the run changed it, and its report does not list it';
    const silent = { ...first, finalMessage: report('- a.ts', 'none') };
    const second = { changed: ['a.ts'], finalMessage: report('- a.ts', 'none') };
    expect(await foundIn(silent, second)).toEqual([untold]);
    expect(await foundIn(first, { ...second, changed: ['a.ts', 'src/cart.ts'] })).toEqual([untold]);
    expect(await foundIn({ ...first, finalMessage: 'Done.' }, second)).toEqual([]);
  });
});
