import { describe, expect, it } from 'vitest';
import { parseFleet } from '../../src/lanes/fleet-file.ts';
import type { Fleet } from '../../src/lanes/fleet.ts';
import { listLanes, requireDriven, resolveLane } from '../../src/lanes/resolve.ts';
import { fleetText } from './fleets.ts';

const REPOSITORY = { top: '/p', gitDir: '/p/.git', commonDir: '/p/.git', objectFormat: 'sha1' } as const;

/** Files that hold this: lanes, a text, or null for none. */
function fleet(
  global: object | string | null,
  project: object | string | null = null,
  approved = true,
): Fleet {
  const file = (path: string, content: object | string | null) => {
    const text = content === null || typeof content === 'string' ? content : fleetText(content);
    const read = text === null ? { lanes: [], problem: null } : parseFleet(Buffer.from(text));
    return { path, present: text !== null, bytes: text === null ? null : Buffer.from(text), ...read };
  };
  return {
    global: file('/home/config.json', global),
    project: { ...file('/p/.delegate/config.json', project), repository: REPOSITORY, hash: 'h', approved },
    unseen: null,
  };
}

const FAST = { implementer: 'claude', model: 'haiku', timeout: '5m' };
const HARD = { implementer: 'codex', effort: 'xhigh' };

describe('the lane of a name', () => {
  it('is the user’s, and the project’s in its place, whole', () => {
    expect(resolveLane(fleet({ fast: FAST }), 'fast')).toEqual({
      lane: {
        name: 'fast',
        source: 'global',
        implementer: 'claude',
        dials: { model: 'haiku', timeout: '5m' },
      },
      notes: [],
    });
    expect(
      resolveLane(fleet({ fast: FAST }, { fast: { implementer: 'claude', effort: 'low' } }), 'fast'),
    ).toEqual({
      lane: { name: 'fast', source: 'project', implementer: 'claude', dials: { effort: 'low' } },
      notes: [],
    });
  });

  it('is the user’s where the project’s is not approved, and says so', () => {
    const { lane, notes } = resolveLane(fleet({ fast: FAST }, { fast: HARD }, false), 'fast');
    expect(lane).toMatchObject({ source: 'global', implementer: 'claude' });
    expect(notes).toEqual([
      expect.stringMatching(/"fast".*\/p\/\.delegate\/config\.json is not approved.*baton lanes approve/),
    ]);
    expect(resolveLane(fleet({ fast: FAST }, { other: HARD }, false), 'fast').notes).toEqual([]);
  });

  it('is the user’s where the project’s file is broken, approved or not, and says so', () => {
    for (const approved of [true, false]) {
      const { lane, notes } = resolveLane(fleet({ fast: FAST }, '{', approved), 'fast');
      expect(lane).toMatchObject({ source: 'global' });
      expect(notes).toEqual([
        expect.stringMatching(/^\/p\/\.delegate\/config\.json is not used: .*strict JSON/),
      ]);
    }
  });

  it('is the project’s where the user’s file is broken', () => {
    expect(resolveLane(fleet('{', { hard: HARD }), 'hard').lane).toMatchObject({ source: 'project' });
  });

  it('does not fall back to the user’s where an approved one is wrong: that would be another lane', () => {
    const wrong = fleet(
      { fast: FAST },
      { fast: { implementer: 'claude', sandbox: 'read-only' }, hard: HARD },
    );
    expect(() => resolveLane(wrong, 'fast')).toThrow(
      '--lane "fast" cannot be used: "sandbox" is not supported by claude',
    );
    expect(resolveLane(wrong, 'hard').lane.name).toBe('hard');
  });

  it('is not there unless it is approved', () => {
    let error: unknown;
    try {
      resolveLane(
        fleet({ fast: FAST }, { hard: { implementer: 'codex', sandbox: 'danger-full-access' } }, false),
        'hard',
      );
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({
      code: 'usage',
      message: '--lane "hard" stands in /p/.delegate/config.json, which is not approved as it is now',
      hint: expect.stringContaining('`baton lanes approve`'),
    });
  });

  it.each(['toString', 'constructor', '__proto__', 'hasOwnProperty', '', 'FAST', 'fas', '../fast'])(
    'is not %j unless somebody called it so',
    (name) => {
      expect(() => resolveLane(fleet({ fast: FAST }, { hard: HARD }), name)).toThrow('is not known');
    },
  );

  it('may be a word that every object knows', () => {
    expect(resolveLane(fleet({ constructor: FAST }), 'constructor').lane.dials).toEqual({
      model: 'haiku',
      timeout: '5m',
    });
  });

  it('that is not known lists those that are, and where', () => {
    const hintOf = (files: Fleet): unknown => {
      try {
        return resolveLane(files, 'fats');
      } catch (error) {
        return error instanceof Error && 'hint' in error ? error.hint : error;
      }
    };
    expect(hintOf(fleet({ fast: FAST, odd: {} }, { hard: HARD, kept: { implementer: 'kimi' } }))).toBe(
      'there are fast (global: /home/config.json) and hard, kept (project: /p/.delegate/config.json)',
    );
    expect(hintOf(fleet(null, { hard: HARD }, false))).toBe(
      'there are hard (project, not approved: /p/.delegate/config.json)',
    );
    expect(hintOf(fleet('[]'))).toBe(
      'there are no lanes yet: make one with `baton lanes set "fats" --implementer claude`; /home/config.json is not used: it is no JSON object',
    );
    expect(hintOf({ ...fleet({ fast: FAST }), project: null, unseen: 'git declined' })).toContain(
      '; git declined',
    );
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`l${at}`, FAST]));
    expect(hintOf(fleet(many))).toMatch(/l29 and 10 more \(global/);
  });

  it('says that git declined to look for a project', () => {
    expect(
      resolveLane({ ...fleet({ fast: FAST }), project: null, unseen: 'git declined' }, 'fast').notes,
    ).toEqual(['git declined']);
  });
});

describe('whom a lane is bound to', () => {
  it('is never another one', () => {
    expect(resolveLane(fleet({ hard: HARD }), 'hard', 'codex').lane.implementer).toBe('codex');
    expect(() => resolveLane(fleet({ hard: HARD }), 'hard', 'claude')).toThrow(
      '--lane "hard" is bound to codex, not to "claude"',
    );
    expect(() => resolveLane(fleet({ hard: HARD }), 'hard', 'scripted')).toThrow('is bound to codex');
  });

  it('may be a CLI that baton does not start: then it cannot be dispatched', () => {
    const { lane } = resolveLane(fleet({ ui: { implementer: 'opencode', model: 'a/b' } }), 'ui');
    expect(lane).toMatchObject({ implementer: 'opencode', dials: { model: 'a/b' } });
    expect(() => requireDriven(lane)).toThrow('is bound to "opencode", which baton does not drive');
  });
});

it('lists all lanes, and which of them count', () => {
  const states = (files: Fleet) =>
    listLanes(files).map(({ name, source, state }) => `${source} ${name} ${state}`);
  const global = { fast: FAST, hard: HARD, odd: {} };
  const project = { fast: FAST, bad: {} };
  expect(states(fleet(global, project))).toEqual([
    'global fast replaced',
    'global hard usable',
    'global odd broken',
    'project fast usable',
    'project bad broken',
  ]);
  expect(states(fleet(global, project, false))).toEqual([
    'global fast usable',
    'global hard usable',
    'global odd broken',
    'project fast not-approved',
    'project bad not-approved',
  ]);
});
