import { describe, expect, test } from 'vitest';
import type { LaunchRequest } from '../../../src/implementers/implementer.ts';
import { codex } from '../../../src/implementers/codex/codex.ts';
import { flagsOf } from '../../../src/implementers/codex/features.ts';
import { toml } from '../../../src/implementers/codex/sandbox.ts';

const REQUEST: LaunchRequest = {
  binary: '/bin/codex',
  profile: 'write',
  cwd: '/repo',
  runDir: '/runs/1',
  env: { PATH: '/bin', TMPDIR: '/tmp' },
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
  protect: ['/repo/.git', '/runs/1'],
  ephemeral: false,
  text: null,
  tempDir: '/tmp/own',
};

const plan = (more: Partial<LaunchRequest> = {}) => codex.plan({ ...REQUEST, ...more });
const args = (more: Partial<LaunchRequest> = {}): string => plan(more).args.join(' ');
const overrides = (more: Partial<LaunchRequest> = {}): string[] => {
  const all = plan(more).args;
  return all.filter((_, index) => all[index - 1] === '-c');
};

/** What version 0.171.0 lists, as far as it matters. */
const PRESENT = [
  ...['--json', '-o', '-m', '-c', '--sandbox', '--ephemeral', '--skip-git-repo-check', '--ignore-rules'].map(
    (flag) => `exec ${flag}`,
  ),
  ...['--json', '-o', '-m', '-c', '--ephemeral', '--skip-git-repo-check', '--ignore-rules'].map(
    (flag) => `resume ${flag}`,
  ),
];
const TEMP_CLOSED = [
  'sandbox_workspace_write.exclude_slash_tmp=true',
  'sandbox_workspace_write.exclude_tmpdir_env_var=true',
];

describe('a fresh run', () => {
  test('in the order of the existing relay', () => {
    expect(plan({ model: 'gpt-5', effort: 'high', skipGitRepoCheck: true }).args).toEqual([
      'exec',
      '--json',
      '-o',
      '/runs/1/final.txt',
      '-s',
      'workspace-write',
      '-m',
      'gpt-5',
      '-c',
      'model_reasoning_effort=high',
      '-c',
      'features.hooks=false',
      '-c',
      TEMP_CLOSED[0],
      '-c',
      TEMP_CLOSED[1],
      '-c',
      'sandbox_workspace_write.writable_roots=["/tmp/own"]',
      '--skip-git-repo-check',
      '-',
    ]);
  });

  test('the effort is the first override, and hooks come after it', () => {
    expect(overrides({ effort: 'high' }).slice(0, 2)).toEqual([
      'model_reasoning_effort=high',
      'features.hooks=false',
    ]);
    expect(overrides({ allowHooks: true })).toEqual([
      ...TEMP_CLOSED,
      'sandbox_workspace_write.writable_roots=["/tmp/own"]',
    ]);
  });

  test.each([
    ['read-only', 'read-only'],
    ['bypass', 'danger-full-access'],
  ] as const)('%s', (profile, mode) => {
    expect(args({ profile })).toContain(`-s ${mode}`);
    expect(overrides({ profile })).toEqual(['features.hooks=false']);
  });

  test('works in its directory, with a temp folder of its own, and reads the brief from stdin', () => {
    expect(plan()).toMatchObject({ file: '/bin/codex', cwd: '/repo', env: { TMPDIR: '/tmp/own' } });
    expect(plan({ tempDir: null }).env['TMPDIR']).toBe('/tmp');
    expect(plan({ platform: 'win32' }).env).toMatchObject({ TEMP: '/tmp/own', TMP: '/tmp/own' });
    expect(plan().args.at(-1)).toBe('-');
    expect(args()).not.toMatch(/--cd|-C /);
  });

  test('flags are passed only where the version lists them', () => {
    expect(args()).not.toMatch(/--ask-for-approval|--ignore-rules/);
    expect(args({ features: PRESENT })).toContain('--ignore-rules');
    expect(args({ features: PRESENT })).not.toContain('--ask-for-approval');
    expect(args({ features: [...PRESENT, 'exec --ask-for-approval'] })).toContain('--ask-for-approval never');
    expect(args({ ephemeral: true })).toContain('--ephemeral');
  });

  test('the names of flags follow the version', () => {
    const middle = ['exec --json', 'exec --experimental-json', 'exec --output-last-message'];
    expect(args({ features: middle })).toMatch(
      /^exec --experimental-json --output-last-message \/runs\/1\/final.txt -s workspace-write /,
    );
    expect(args({ features: ['exec --json'] })).toMatch(/^exec --json -s workspace-write /);
  });

  test('MCP servers of the user’s are off', () => {
    expect(overrides({ features: ['mcp plain', 'mcp a "b"'] })).toContain(
      'mcp_servers={"plain"={enabled=false},"a \\"b\\""={enabled=false}}',
    );
  });

  test('the profile for people is what codex is given', () => {
    const [artifact] = plan().artifacts;
    expect(artifact?.name).toBe('profile');
    expect(JSON.parse(artifact?.content ?? '')).toEqual({
      sandbox: 'workspace-write',
      configuration: overrides(),
    });
  });
});

describe('a resumed run', () => {
  const resume = { kind: 'session', id: 'T1' } as const;

  test('has its sandbox as an override', () => {
    expect(plan({ resume, effort: 'low', features: PRESENT }).args).toEqual([
      'exec',
      'resume',
      'T1',
      '--json',
      '-o',
      '/runs/1/final.txt',
      '-c',
      'model_reasoning_effort=low',
      '-c',
      'sandbox_mode="workspace-write"',
      ...[
        'features.hooks=false',
        ...TEMP_CLOSED,
        'sandbox_workspace_write.writable_roots=["/tmp/own"]',
      ].flatMap((one) => ['-c', one]),
      '--ignore-rules',
      '-',
    ]);
    expect(overrides({ resume, profile: 'read-only' })[0]).toBe('sandbox_mode="read-only"');
  });

  test('or, asked for by flag, before `resume` where the version takes it', () => {
    const asked = args({ resume, profileAsked: true, profile: 'read-only', features: PRESENT });
    expect(asked).toMatch(/^exec -s read-only resume T1 --json /);
    expect(asked).not.toContain('sandbox_mode');
    // Nothing is known of this version.
    expect(args({ resume, profileAsked: true })).toMatch(/^exec resume T1 .*sandbox_mode="workspace-write"/);
  });

  test('flags that `resume` does not list stand before it', () => {
    const old = PRESENT.filter((feature) => feature !== 'resume --json' && feature !== 'resume -o');
    expect(args({ resume, features: old })).toMatch(/^exec --json -o \/runs\/1\/final.txt resume T1 -c /);
  });
});

describe('a run for its text', () => {
  test('with a schema for the answer, and without tools', () => {
    const made = plan({ profile: 'read-only', text: { tools: 'none', outputSchema: '{"type":"object"}' } });
    expect(made.args.join(' ')).toContain('--output-schema /runs/1/output-schema.json');
    expect(made.args).toContain('features.shell_tool=false');
    expect(made.artifacts).toContainEqual({ name: 'outputSchema', content: '{"type":"object"}' });
  });
});

describe('what the sandbox can keep', () => {
  test('nested repositories are roots of their own, so that their git directories are guarded', () => {
    const protect = [
      '/repo/.git',
      '/repo/.git/modules/m',
      '/repo/nested/.git',
      '/repo/deep/er/.git',
      '/runs/1',
    ];
    expect(overrides({ protect, allowWrite: ['/cache'] }).at(-1)).toBe(
      'sandbox_workspace_write.writable_roots=["/tmp/own","/cache","/repo/nested","/repo/deep/er"]',
    );
    expect(plan({ protect }).gaps).toEqual([]);
  });

  test('links are followed for it', () => {
    const linked = { cwd: '/link', realWorkdir: '/repo', protect: ['/repo/nested/.git'] };
    expect(overrides(linked).at(-1)).toContain('"/repo/nested"');
  });

  test('what it cannot keep is a gap', () => {
    expect(plan({ protect: ['/repo/runs/1', '/repo/bare.git'] }).gaps).toEqual([
      '/repo/runs/1 lies in the working directory, where the sandbox of codex cannot keep it read-only',
      '/repo/bare.git lies in the working directory, where the sandbox of codex cannot keep it read-only',
    ]);
    expect(plan({ profile: 'read-only', protect: ['/repo/runs/1'] }).gaps).toEqual([]);
  });

  test('a path is a TOML string', () => {
    expect(toml(['/a "b"\\c\u007f'])).toBe('["/a \\"b\\"\\\\c\\u007f"]');
  });
});

describe('a help text', () => {
  test('lists flags where they are defined, and not in examples', () => {
    const help = `Run it

Usage: codex exec [OPTIONS]

Options:
  -c, --config <key=value>
          Examples: - \`-c x=1\`, or --not-a-flag

      --enable <FEATURE>
  -s, --sandbox <MODE>
`;
    expect(flagsOf('exec', help)).toEqual([
      'exec -c',
      'exec --config',
      'exec --enable',
      'exec -s',
      'exec --sandbox',
    ]);
  });

  test.each(['', 'codex-cli 0.171.0', '{"type":"thread.started"}', 'Usage: codex exec'])(
    '%j is none',
    (text) => {
      expect(flagsOf('exec', text)).toBeNull();
    },
  );
});
