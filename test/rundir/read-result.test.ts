import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { LiveRecord } from '../../src/rundir/live.ts';
import { readResult } from '../../src/rundir/read-result.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { exampleResult } from './example.ts';

let dir: string;
beforeEach(() => {
  dir = temporaryFolder();
});

const leave = (value: unknown): void =>
  writeFileSync(join(dir, 'result.json'), typeof value === 'string' ? value : JSON.stringify(value));

const failure = (code: string, text: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(text) });

describe('reading a result', () => {
  it('keeps what a newer version has added, at every level, words and fields', () => {
    const example = exampleResult();
    const newer = {
      ...example,
      status: 'paused',
      landed: { commit: 'abc' },
      process: { ...example.process, exit: 'hibernated', cgroup: '/x' },
      evidence: {
        ...example.evidence,
        changes: [{ ...example.evidence.changes[0], kind: 'copied', similarity: 90 }],
      },
    };
    leave(newer);
    expect(readResult(dir)).toEqual(newer);
  });

  it.each<[string, string]>([
    ['', 'no JSON object'],
    [JSON.stringify(exampleResult()).slice(0, 900), 'no JSON object'],
    ['[1]', 'no JSON object'],
    ['null', 'no JSON object'],
    ['{}', 'schema is missing'],
    ['{"schema":"delegate-relay.result.v9"}', 'delegate-relay.result.v9'],
    ['{"schema":"delegate-relay.result.v1","status":"completed"}', 'runId'],
    [
      JSON.stringify({ ...exampleResult(), evidence: { ...exampleResult().evidence, changes: 'none' } }),
      'evidence.changes',
    ],
    [JSON.stringify({ ...exampleResult(), exitCode: '0' }), 'exitCode'],
    [JSON.stringify({ ...exampleResult(), status: 3 }), 'status'],
  ])('says what is damaged: %.60s', (text, reason) => {
    leave(text);
    expect(() => readResult(dir)).toThrow(failure('damaged-result', reason));
  });

  it('says why there is none', () => {
    expect(() => readResult(dir)).toThrow(failure('no-result', 'lost'));
    const live = LiveRecord.start(dir, { runId: 'R1', treeTop: '/repo' });
    expect(() => readResult(dir)).toThrow(failure('no-result', 'still under way'));
    live.close();
    expect(() => readResult(dir)).toThrow(failure('no-result', 'could not write one'));
  });

  it('follows no link and waits for no pipe', () => {
    symlinkSync('/etc/hostname', join(dir, 'result.json'));
    expect(() => readResult(dir)).toThrow(failure('unreadable', 'not a regular file'));
    dir = temporaryFolder();
    execFileSync('mkfifo', [join(dir, 'result.json')]);
    expect(() => readResult(dir)).toThrow(failure('unreadable', 'not a regular file'));
  });
});
