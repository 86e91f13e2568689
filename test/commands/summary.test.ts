import { describe, expect, it } from 'vitest';
import { styleFor } from '../../src/commands/style.ts';
import { summaryOf, visible } from '../../src/commands/summary.ts';
import type { Result, Violation } from '../../src/rundir/result.ts';

const RESULT: Result = {
  schema: 'delegate-relay.result.v1',
  tool: 'claude',
  runId: '20261130-101112-131-abcdefgh',
  implementer: 'claude',
  batonVersion: '0.1.0',
  status: 'completed',
  exitCode: 0,
  signal: null,
  claudeVersion: '2.1.332 (Claude Code)',
  permissionMode: 'acceptEdits',
  sessionId: 'S1',
  resultSubtype: 'success',
  finalMessage: 'Done.\n',
  numTurns: 3,
  usage: null,
  totalCostUsd: 0.0123,
  touchedFiles: [],
  workdir: '/a b',
  lane: null,
  laneSource: null,
  model: null,
  effort: null,
  maxTurns: null,
  maxBudgetUsd: null,
  timeout: null,
  readOnly: false,
  resumed: false,
  resumeLast: false,
  toolSurface: [],
  shellSandbox: 'strict',
  dangerouslySkipPermissions: false,
  startedAt: '2026-11-30T10:11:12.131Z',
  finishedAt: '2026-11-30T10:11:15.131Z',
  briefPath: '/run/brief.txt',
  eventsPath: '/run/events.jsonl',
  finalPath: '/run/final.txt',
  stderrPath: '/run/stderr.txt',
  settingsPath: '/run/profile.json',
  resultPath: '/run/result.json',
  patchPath: '/run/changes.patch',
  process: {
    pid: 7,
    exit: 'code',
    timeoutKind: null,
    endedAfterResult: false,
    swept: [],
    survivors: [],
    durationMs: 3000,
    clockGapMs: 0,
  },
  agent: {
    claim: 'success',
    reason: null,
    retryable: null,
    retryAt: null,
    denials: [],
    retries: 0,
    finalTextSource: 'result',
    resumedFrom: null,
    model: null,
    toolCalls: 2,
    subagents: 0,
  },
  evidence: {
    tree: 'unchanged',
    beforeTree: 'a',
    afterTree: 'a',
    baseCommit: 'c',
    changes: [],
    violations: [],
    notices: [],
    coverage: { complete: true, gaps: [], ignored: 'not-scanned' },
  },
  stream: { bytes: 1, events: 1, unreadable: 0, oversize: 0, truncated: false },
  cost: { usd: 0.0123, inputTokens: 100, outputTokens: 20, cachedTokens: 0, byModel: {} },
};

const show = (change: Partial<Result>, resumable = true): string =>
  summaryOf({ ...RESULT, ...change }, styleFor(false), { resumable });
const evidence = (change: Partial<Result['evidence']>): Partial<Result> => ({
  evidence: { ...RESULT.evidence, ...change },
});
const violation = (kind: Violation['kind']): Violation => ({
  kind,
  detail: `refs/heads/main moved by a ${kind}`,
  actor: 'implementer-possible',
});
const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

describe('the summary', () => {
  it('is plain without colour, and ends with a newline', () => {
    expect(show({})).not.toContain('\u001b');
    expect(show({}).endsWith('\n')).toBe(true);
  });

  it('has the result path before its last line', () => {
    expect(show({}).trimEnd().split('\n').at(-2)).toContain('/run/result.json');
  });

  it.each(['commit', 'ref', 'stash'] as const)('never says that nothing was committed after a %s', (kind) => {
    const text = show(evidence({ violations: [violation(kind)] }));
    expect(lastLine(text)).not.toContain('no commit was made');
    expect(lastLine(text)).toContain(`refs/heads/main moved by a ${kind}`);
    expect(text).toContain(`violation  ${kind}`);
  });

  it('says that it does not know where it could not see', () => {
    const text = show(
      evidence({
        tree: 'unknown',
        coverage: { complete: false, gaps: ['not a repository'], ignored: 'not-scanned' },
      }),
    );
    expect(text).toContain('what changed is unknown');
    expect(text).toContain('not a repository');
    expect(lastLine(text)).toContain('could not be seen');
  });

  it('says both where a success claim met a bad end', () => {
    const text = show({ status: 'failed', exitCode: 3, error: 'claude reported success but exited 3' });
    expect(text).toContain('failed');
    expect(text).toContain('the implementer claims success');
  });

  it('offers to resume, with a quoted directory, only where that can be', () => {
    expect(show({})).toContain("--session S1 --cd '/a b'");
    expect(show({}, false)).not.toContain('--session');
  });

  it('lets nothing that an implementer wrote drive the terminal', () => {
    const hostile = '\u001b]0;owned\u0007\u009b2J\r';
    const change = { path: `a${hostile}`, kind: 'added', added: 1, deleted: 0, preexisting: false } as const;
    const text = show({
      finalMessage: `x${hostile}y`,
      error: hostile,
      stderrTail: [hostile],
      status: 'failed',
      agent: { ...RESULT.agent, denials: [{ tool: hostile, input: hostile, reason: hostile }] },
      ...evidence({
        tree: 'changed',
        changes: [change],
        violations: [{ ...violation('hooks'), detail: hostile }],
        notices: [hostile],
      }),
    });
    // oxlint-disable-next-line no-control-regex
    expect(text.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g)).toBeNull();
  });

  it('tells what was left running', () => {
    const left = [{ pid: 42, command: 'sleep 60' }];
    expect(show({ process: { ...RESULT.process, swept: left, survivors: left } })).toMatch(
      /ended {6}1 process .*42 sleep 60[^]*alive {6}1 process .*42 sleep 60/,
    );
  });
});

it('shows any file name on one line', () => {
  expect(visible('a\nb\u001b[0m')).toBe('a\\x0ab\\x1b[0m');
  expect(visible('a\u202etxt.\u200b\u{e0041}é🙂')).toBe('a\\u{202e}txt.\\u{200b}\\u{e0041}é🙂');
});
