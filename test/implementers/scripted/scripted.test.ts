import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Env } from '../../../src/core/environment.ts';
import { claude } from '../../../src/implementers/claude/claude.ts';
import type { LaunchRequest, Probe } from '../../../src/implementers/implementer.ts';
import { scriptedAs } from '../../../src/implementers/scripted/scripted.ts';
import type { Reason } from '../../../src/rundir/result.ts';
import { PROGRAMS } from '../../support/baton.ts';
import { ensureBuilt } from '../../support/build.ts';
import { surroundings } from '../../support/environment.ts';
import { playground } from './playing.ts';

const scripted = scriptedAs(claude);

function probe(env: Env, cwd: string, limitMs = 30_000): Promise<Probe> {
  const signal = new AbortController().signal;
  return scripted.probe({ env, cwd, profile: 'write', platform: process.platform, limitMs, signal });
}

function request(changes: Partial<LaunchRequest>): LaunchRequest {
  return {
    binary: PROGRAMS.scripted,
    profile: 'write',
    cwd: '/repo',
    runDir: '/run',
    env: { PATH: '/bin', BATON_SCRIPT: 's.yaml' },
    platform: 'linux',
    resume: null,
    model: null,
    effort: null,
    maxTurns: null,
    maxBudgetUsd: null,
    autocompact: null,
    allowHooks: false,
    allowWrite: [],
    allowDomains: [],
    ephemeral: false,
    text: null,
    protect: [],
    ...changes,
  };
}

describe('the scripted implementer', () => {
  it('is missing where no script is named, and says how to name one', async () => {
    const { env, root } = surroundings();
    expect(await probe(env, root)).toMatchObject({
      answer: 'missing',
      binary: null,
      version: null,
      warnings: [{ text: expect.stringContaining('BATON_SCRIPT is not set'), gap: false }],
    });
  });

  it.each([
    ['steps: []', { answer: 'ok', binary: PROGRAMS.scripted, version: '0.0.0 (baton-scripted)' }],
    ['version: 2.1.332 (Claude Code)\nsteps: []', { answer: 'ok', version: '2.1.332 (Claude Code)' }],
    ['version: { exit: 1 }\nsteps: []', { answer: 'abnormal', version: 'unknown' }],
    ['nonsense', { answer: 'abnormal', version: 'unknown' }],
  ])('probes as the script answers: %j', async (yaml, expected) => {
    await ensureBuilt();
    const { env, root } = surroundings();
    const script = join(root, 's.yaml');
    writeFileSync(script, yaml);
    expect(await probe({ ...env, BATON_SCRIPT: script }, root)).toMatchObject(expected);
  });

  it('does not wait for a version that never comes', async () => {
    await ensureBuilt();
    const { env, root } = surroundings();
    const script = join(root, 's.yaml');
    writeFileSync(script, 'version: { hang: true }\nsteps: []');
    expect(await probe({ ...env, BATON_SCRIPT: script }, root, 1500)).toMatchObject({ answer: 'hung' });
  });

  it("is started by this Node with claude's own flags, and says that it has no sandbox", () => {
    const plan = scripted.plan(request({ resume: { kind: 'session', id: 'S1' }, model: 'm' }));
    expect(plan.file).toBe(process.execPath);
    expect(plan.args.slice(0, 5)).toEqual([
      PROGRAMS.scripted,
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
    ]);
    expect(plan.args.slice(-4)).toEqual(['--resume', 'S1', '--model', 'm']);
    expect([plan.sandboxRequired, plan.shellSandbox]).toEqual([false, 'not-applicable']);
    // The player works in another directory than the one who named the script.
    expect(plan.env['BATON_SCRIPT']).toBe(resolve('s.yaml'));
  });

  it('holds nothing back', () => {
    const { lines } = scripted.containment({
      profile: 'write',
      platform: 'linux',
      allowHooks: false,
      allowWrite: [],
    });
    expect(lines).toHaveLength(10);
    expect(lines.every(({ possible }) => possible)).toBe(true);
  });

  it.each(['write', 'read-only', 'bypass'] as const)('accepts every flag of a %s plan', async (profile) => {
    const { where, play } = playground();
    const dials = { effort: 'high', maxTurns: 3, maxBudgetUsd: '1.50', autocompact: '150k', model: 'm' };
    const runDir = where.root;
    writeFileSync(join(runDir, 'profile.json'), '{}');
    const plan = scripted.plan(request({ profile, runDir, resume: { kind: 'last' }, ...dials }));
    const { code, stderr } = await play('- say: x\n', { args: plan.args.slice(1) });
    expect([code, stderr]).toEqual([0, '']);
  });
});

describe('a play as its reader understands it', () => {
  it.each<[string, Reason]>([
    ['rate-limit', 'rate-limit'],
    ['overloaded', 'overloaded'],
    ['too-long', 'context-overflow'],
    ['auth', 'auth'],
    ['api-error', 'api-error'],
    ['usage-limit', 'usage-limit'],
    ['max-turns', 'max-turns'],
    ['budget', 'budget'],
    ['session-not-found', 'session-not-found'],
    ['sandbox-unavailable', 'sandbox-unavailable'],
  ])('fails for the reason %s', async (kind, reason) => {
    const { records } = await playground().play(`- fail: ${kind}\n`);
    const reader = scripted.reader();
    for (const record of records) reader.read(record);
    expect(reader.claim()).toMatchObject({ claim: 'error', reason });
  });

  it('is no unknown record in any of its steps', async () => {
    const { records } = await playground().play(`
      - say: a
      - think: b
      - write: { path: a.txt, content: x }
      - run: cat a.txt
      - deny: { tool: Bash, input: { command: git push } }
      - subagent: c
      - retry: 2
      - say: e
    `);
    const reader = scripted.reader();
    const events = records.flatMap((record) => reader.read(record));
    const types = events.map(({ type }) => type);
    expect(types).not.toContain('unknown');
    for (const type of [
      'session',
      'text',
      'thinking',
      'tool-started',
      'tool-finished',
      'denied',
      'notice',
      'finished',
    ]) {
      expect(types).toContain(type);
    }
    expect(reader.claim()).toMatchObject({
      claim: 'success',
      finalText: 'e',
      retries: 2,
      subagents: 1,
      denials: [{ tool: 'Bash', input: { command: 'git push' } }],
    });
  });

  it('needs input where it asks', async () => {
    const { records } = await playground().play('- ask: Which?\n- say: I assumed.\n');
    const reader = scripted.reader();
    for (const record of records) reader.read(record);
    expect(reader.claim().reason).toBe('needs-input');
  });
});
