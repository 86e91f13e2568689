import { describe, expect, it } from 'vitest';
import { layered } from '../../src/dispatch/layered.ts';
import type { DispatchOptions } from '../../src/dispatch/options.ts';
import { checkOptions } from '../../src/dispatch/request.ts';
import type { Dials, Lane } from '../../src/lanes/lane.ts';
import { temporaryFolder } from '../support/temporary.ts';

const lane = (implementer: string, dials: Dials): Lane => ({
  name: 'kind',
  source: 'global',
  implementer,
  dials,
});

/** What the options come to with the lane below them. */
function requestOf(options: Partial<DispatchOptions>, below: Lane) {
  const { lane: _, ...own } = { brief: 'do it', cd: temporaryFolder(), env: {}, ...options };
  const { options: all, lane: applied } = layered(own, below);
  const { implementer, model, effort, timeout, profile, profileAsked } = checkOptions(all, applied);
  return {
    implementer: implementer.id,
    model,
    effort,
    timeout,
    profile,
    profileAsked,
    decided: applied?.dials,
  };
}

describe('each dial is the option’s, else the lane’s, else the default', () => {
  const CLAUDE = lane('claude', { model: 'opus', effort: 'high', timeout: '1h', readOnly: true });
  const CODEX = lane('codex', { model: 'gpt', effort: 'xhigh', timeout: '2h', sandbox: 'read-only' });

  it('all of them the lane’s', () => {
    expect(requestOf({}, CLAUDE)).toEqual({
      implementer: 'claude',
      model: 'opus',
      effort: 'high',
      timeout: '1h',
      profile: 'read-only',
      profileAsked: true,
      decided: ['model', 'effort', 'timeout', 'readOnly'],
    });
    expect(requestOf({ implementer: 'codex' }, CODEX)).toEqual({
      implementer: 'codex',
      model: 'gpt',
      effort: 'xhigh',
      timeout: '2h',
      profile: 'read-only',
      profileAsked: true,
      decided: ['model', 'effort', 'timeout', 'sandbox'],
    });
  });

  it('none of them the lane’s, where it says nothing', () => {
    expect(requestOf({}, lane('claude', {}))).toMatchObject({
      model: null,
      timeout: null,
      profile: 'write',
      decided: [],
    });
  });

  it.each<[Partial<DispatchOptions>, object, string]>([
    [{ model: 'haiku' }, { model: 'haiku', effort: 'high', timeout: '1h', profile: 'read-only' }, 'model'],
    [{ effort: 'low' }, { model: 'opus', effort: 'low', timeout: '1h', profile: 'read-only' }, 'effort'],
    [{ timeout: '5m' }, { model: 'opus', effort: 'high', timeout: '5m', profile: 'read-only' }, 'timeout'],
    [{ readOnly: true }, { model: 'opus', effort: 'high', timeout: '1h', profile: 'read-only' }, 'readOnly'],
    [
      { dangerouslySkipPermissions: true, env: { IS_SANDBOX: '1' } },
      { model: 'opus', timeout: '1h', profile: 'bypass' },
      'readOnly',
    ],
  ])('claude: %j is the option’s', (options, expected, dial) => {
    const { decided, ...request } = requestOf(options, CLAUDE);
    expect(request).toMatchObject(expected);
    expect(decided).toEqual(['model', 'effort', 'timeout', 'readOnly'].filter((name) => name !== dial));
  });

  it.each<[Partial<DispatchOptions>, object, string]>([
    [{ model: 'mini' }, { model: 'mini', effort: 'xhigh', timeout: '2h', profile: 'read-only' }, 'model'],
    [{ effort: 'low' }, { model: 'gpt', effort: 'low', timeout: '2h', profile: 'read-only' }, 'effort'],
    [{ timeout: '5m' }, { model: 'gpt', effort: 'xhigh', timeout: '5m', profile: 'read-only' }, 'timeout'],
    [
      { sandbox: 'workspace-write' },
      { model: 'gpt', timeout: '2h', profile: 'write', profileAsked: true },
      'sandbox',
    ],
    [{ sandbox: 'danger-full-access' }, { model: 'gpt', timeout: '2h', profile: 'bypass' }, 'sandbox'],
  ])('codex: %j is the option’s', (options, expected, dial) => {
    const { decided, ...request } = requestOf(options, CODEX);
    expect(request).toMatchObject(expected);
    expect(decided).toEqual(['model', 'effort', 'timeout', 'sandbox'].filter((name) => name !== dial));
  });
});

describe('what the run may do', () => {
  it.each<[Dials, Partial<DispatchOptions>, string]>([
    [{ sandbox: 'danger-full-access' }, {}, 'bypass'],
    [{ sandbox: 'danger-full-access' }, { readOnly: true }, 'read-only'],
    [{ sandbox: 'danger-full-access' }, { sandbox: 'workspace-write' }, 'write'],
    [{ sandbox: 'workspace-write' }, { readOnly: true }, 'read-only'],
    [{ readOnly: true }, { sandbox: 'danger-full-access' }, 'bypass'],
    [{ readOnly: true, sandbox: 'read-only' }, {}, 'read-only'],
    [{ readOnly: false, sandbox: 'workspace-write' }, {}, 'write'],
    [{ readOnly: true }, { readOnly: false }, 'read-only'],
  ])('codex with %j and %j: %s', (dials, options, profile) => {
    expect(requestOf(options, lane('codex', dials)).profile).toBe(profile);
  });

  it('is not said by a lane that is merely not read-only: a session keeps what it had', () => {
    expect(requestOf({}, lane('codex', { readOnly: false }))).toMatchObject({
      profile: 'write',
      profileAsked: false,
      decided: [],
    });
  });

  it('conflicts where two options say it, with a lane as without', () => {
    expect(() =>
      requestOf({ readOnly: true, dangerouslySkipPermissions: true }, lane('claude', { readOnly: true })),
    ).toThrow('--read-only and --dangerously-skip-permissions exclude each other');
  });
});

describe('a lane that a caller made itself', () => {
  it.each<[Lane, Partial<DispatchOptions>, string]>([
    [lane('codex', {}), { implementer: 'claude' }, 'is bound to codex, not to "claude"'],
    [lane('opencode', {}), {}, 'which baton does not drive'],
    [lane('constructor', {}), {}, 'which is not known'],
    [lane('claude', { sandbox: 'danger-full-access' }), {}, 'not supported by claude'],
    [lane('claude', { permissionMode: 'bypassPermissions' }), {}, 'not supported by claude'],
    [lane('claude', { model: '--dangerously-skip-permissions' }), {}, 'cannot be used: model'],
    [lane('codex', { readOnly: true, sandbox: 'workspace-write' }), {}, 'contradict'],
  ])('has to hold as well: %j', (made, options, message) => {
    expect(() => requestOf(options, made)).toThrow(message);
  });
});
