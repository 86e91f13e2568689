import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findSession, lastSession, recordSession } from '../../src/rundir/sessions.ts';
import { temporaryFolder } from '../support/temporary.ts';

let stateHome: string;
beforeEach(() => {
  stateHome = join(temporaryFolder(), 'state');
});

function record(sessionId: string, cwd: string, implementer = 'claude', runId = 'R1'): string | null {
  return recordSession({ stateHome, implementer, cwd, sessionId, runId, profile: 'write' });
}

function last(cwd: string, implementer = 'claude'): string | undefined {
  return lastSession({ stateHome, implementer, cwd })?.sessionId;
}

describe('recorded sessions', () => {
  it('are found by id, with the directory they were started in', () => {
    expect(record('S1', '/a')).toBe(null);
    expect(findSession({ stateHome, implementer: 'claude', sessionId: 'S1' })).toMatchObject({
      implementer: 'claude',
      sessionId: 'S1',
      cwd: '/a',
      runId: 'R1',
      profile: 'write',
      at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(findSession({ stateHome, implementer: 'claude', sessionId: 'S2' })).toBe(null);
    expect(findSession({ stateHome, implementer: 'codex', sessionId: 'S1' })).toBe(null);
  });

  it('have a last one for each directory and implementer', () => {
    record('S1', '/a');
    record('S2', '/b');
    record('T1', '/a', 'codex');
    record('S3', '/a');
    expect([last('/a'), last('/b'), last('/a', 'codex'), last('/c')]).toEqual(['S3', 'S2', 'T1', undefined]);
  });

  it('keep both ids when a resumed session comes back with a new one', () => {
    record('S1', '/a');
    record('S2', '/a', 'claude', 'R2');
    expect(lastSession({ stateHome, implementer: 'claude', cwd: '/a' })).toMatchObject({
      sessionId: 'S2',
      runId: 'R2',
    });
    expect(findSession({ stateHome, implementer: 'claude', sessionId: 'S1' })?.cwd).toBe('/a');
  });

  it('take ids and directories that no file could be named after', () => {
    const long = 'x'.repeat(5000);
    record(long, '/a/../"\n💥');
    expect(findSession({ stateHome, implementer: 'claude', sessionId: long })?.cwd).toBe('/a/../"\n💥');
  });

  it('lie in files that only we can read', () => {
    record('S1', '/a');
    const folder = join(stateHome, 'sessions', 'claude');
    expect(readdirSync(folder)).toHaveLength(2);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  it('are absent, not fatal, where a record is damaged', () => {
    record('S1', '/a');
    const folder = join(stateHome, 'sessions', 'claude');
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{"sessionId":"S1"');
    expect(findSession({ stateHome, implementer: 'claude', sessionId: 'S1' })).toBe(null);
    expect(lastSession({ stateHome, implementer: 'claude', cwd: '/a' })).toBe(null);
    expect(record('S1', '/a')).toBe(null);
    expect(lastSession({ stateHome, implementer: 'claude', cwd: '/a' })?.sessionId).toBe('S1');
  });

  it('end no run where the state folder cannot be written', () => {
    writeFileSync(stateHome, 'a file');
    expect(record('S1', '/a')).toContain(stateHome);
    expect(lastSession({ stateHome, implementer: 'claude', cwd: '/a' })).toBe(null);
  });
});
