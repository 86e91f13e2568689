import { describe, expect, test } from 'vitest';
import { planClaude } from '../../../src/implementers/claude/plan.ts';
import type { LaunchRequest } from '../../../src/implementers/implementer.ts';

const REQUEST: LaunchRequest = {
  binary: '/bin/claude',
  profile: 'write',
  cwd: '/repo',
  runDir: '/run',
  env: { PATH: '/bin' },
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
  protect: ['/repo/.git', '/run'],
};

const START = ['-p', '--output-format', 'stream-json', '--verbose', '--tools'];
const MIDDLE = ['--strict-mcp-config', '--disallowedTools', 'mcp__*', '--disable-slash-commands'];

function plan(more: Partial<LaunchRequest> = {}) {
  const made = planClaude({ ...REQUEST, ...more });
  const [artifact] = made.artifacts;
  return { ...made, profile: JSON.parse(artifact?.content ?? '') };
}

const DENIED = [
  'Bash(git commit *)',
  'Bash(git * commit *)',
  'Bash(git * commit)',
  'Bash(git push *)',
  'Bash(git * push *)',
  'Bash(git * push)',
  'Bash(claude *)',
  'Bash(*claude-delegate*)',
];

describe('the command line', () => {
  test('of a write run', () => {
    const made = plan();
    expect(made.args).toEqual([
      ...START,
      'Read,Glob,Grep,Edit,Write,Bash',
      ...MIDDLE,
      '--settings',
      '/run/profile.json',
      '--permission-mode',
      'acceptEdits',
    ]);
    expect(made).toMatchObject({
      file: '/bin/claude',
      cwd: '/repo',
      permissionMode: 'acceptEdits',
      shellSandbox: 'strict',
      sandboxRequired: true,
      toolSurface: ['Read', 'Glob', 'Grep', 'Edit', 'Write', 'Bash'],
    });
  });

  test('of a run for its text: it may read, and no plan mode asks it for a plan', () => {
    const made = plan({ profile: 'read-only', text: { tools: 'profile', outputSchema: null } });
    expect(made.args.slice(5)).toEqual([
      'Read,Glob,Grep',
      ...MIDDLE,
      '--settings',
      '/run/profile.json',
      '--permission-mode',
      'default',
    ]);
  });

  test('of a run for its text, with no tools and a schema', () => {
    const outputSchema = '{"type":"object"}';
    const made = plan({ profile: 'read-only', text: { tools: 'none', outputSchema } });
    expect(made.args.slice(4, 6)).toEqual(['--tools', '']);
    expect(made.args.slice(-2)).toEqual(['--json-schema', outputSchema]);
    expect(made.toolSurface).toEqual([]);
  });

  test('of a read-only run', () => {
    const made = plan({ profile: 'read-only' });
    expect(made.args.slice(5)).toEqual([
      'Read,Glob,Grep',
      ...MIDDLE,
      '--settings',
      '/run/profile.json',
      '--permission-mode',
      'plan',
    ]);
    expect(made).toMatchObject({
      permissionMode: 'plan',
      shellSandbox: 'not-applicable',
      sandboxRequired: false,
    });
  });

  test('of a bypass run: the flag stands in place of the mode, the sandbox stays', () => {
    const made = plan({ profile: 'bypass' });
    expect(made.args.slice(-3)).toEqual([
      '--settings',
      '/run/profile.json',
      '--dangerously-skip-permissions',
    ]);
    expect(made.args).not.toContain('--permission-mode');
    expect(made).toMatchObject({ permissionMode: 'bypassPermissions', sandboxRequired: true });
    expect(made.profile).toEqual(plan().profile);
  });

  test('on Windows PowerShell takes the place of Bash', () => {
    const made = plan({ platform: 'win32' });
    expect(made.args).toContain('Read,Glob,Grep,Edit,Write,PowerShell');
    expect(made.args.slice(-2)).toEqual(['--allowedTools', 'PowerShell']);
    expect(made).toMatchObject({ shellSandbox: 'unsupported-on-native-windows', sandboxRequired: false });
    expect(plan({ platform: 'win32', profile: 'read-only' })).toMatchObject({
      toolSurface: ['Read', 'Glob', 'Grep'],
      shellSandbox: 'not-applicable',
    });
  });

  test('resumes, then the dials, in their order', () => {
    const dials = { model: 'm', effort: 'high', maxTurns: 3, maxBudgetUsd: '0.10', autocompact: '100k' };
    const words = [
      '--model',
      'm',
      '--effort',
      'high',
      '--max-turns',
      '3',
      '--max-budget-usd',
      '0.10',
      '--autocompact',
      '100k',
    ];
    expect(plan({ ...dials, resume: { kind: 'session', id: 'S1' } }).args.slice(-12)).toEqual([
      '--resume',
      'S1',
      ...words,
    ]);
    expect(plan({ ...dials, resume: { kind: 'last' } }).args.slice(-11)).toEqual(['--continue', ...words]);
  });

  test('a resumed run has the whole profile again', () => {
    expect(plan({ resume: { kind: 'last' } }).profile).toEqual(plan().profile);
  });
});

describe('the environment', () => {
  const env = {
    CLAUDECODE: '1',
    CLAUDE_CODE_USE_BEDROCK: '1',
    CLAUDE_CODE_OAUTH_TOKEN: 't',
    CLAUDE_CODE_CHILD_SESSION: 'c',
    GIT_DIR: '/x',
    OTHER: 'o',
  };

  test('loses what ties it to another session or repository, and nothing else', () => {
    expect(plan({ env }).env).toEqual({
      CLAUDE_CODE_USE_BEDROCK: '1',
      CLAUDE_CODE_OAUTH_TOKEN: 't',
      CLAUDE_CODE_CHILD_SESSION: 'c',
      OTHER: 'o',
      DISABLE_AUTOUPDATER: '1',
    });
  });

  test('keeps the user’s word about updates', () => {
    expect(plan({ env: { DISABLE_AUTOUPDATER: '0' } }).env).toEqual({ DISABLE_AUTOUPDATER: '0' });
  });

  test('has names without case on Windows only', () => {
    const mixed = { ClaudeCode: '1', Disable_AutoUpdater: '0' };
    expect(plan({ env: mixed, platform: 'win32' }).env).toEqual({ Disable_AutoUpdater: '0' });
    expect(plan({ env: mixed }).env).toEqual({ ...mixed, DISABLE_AUTOUPDATER: '1' });
  });
});

describe('profile.json', () => {
  test('of a write run', () => {
    const wide = { allowWrite: ['/cache'], allowDomains: ['registry.npmjs.org'] };
    expect(plan(wide).profile).toEqual({
      disableClaudeAiConnectors: true,
      disableAllHooks: true,
      permissions: {
        deny: DENIED,
        ask: ['Edit(//repo/.git)', 'Edit(//repo/.git/**)', 'Edit(//run)', 'Edit(//run/**)'],
      },
      sandbox: {
        enabled: true,
        failIfUnavailable: true,
        autoAllowBashIfSandboxed: true,
        allowUnsandboxedCommands: false,
        excludedCommands: [],
        filesystem: { disabled: false, denyWrite: ['/repo/.git', '/run'], allowWrite: ['/cache'] },
        network: { allowedDomains: ['registry.npmjs.org'] },
      },
    });
  });

  test('of a read-only run has no rules and no sandbox', () => {
    expect(plan({ profile: 'read-only' }).profile).toEqual({
      disableClaudeAiConnectors: true,
      disableAllHooks: true,
    });
  });

  test('says nothing of hooks when they are allowed', () => {
    expect(plan({ allowHooks: true }).profile).not.toHaveProperty('disableAllHooks');
  });

  test('on Windows repeats the rules for PowerShell and asks for no sandbox', () => {
    const { profile } = plan({ platform: 'win32' });
    expect(profile.permissions.deny).toEqual([
      ...DENIED,
      ...DENIED.map((rule) => rule.replace('Bash', 'PowerShell')),
    ]);
    expect(profile).not.toHaveProperty('sandbox');
  });

  test('rules for strange paths match at least these paths', () => {
    expect(plan({ protect: ['/a [b]*(c)\\{d}é'] }).profile.permissions.ask).toEqual([
      'Edit(//a??b???c???d?é)',
      'Edit(//a??b???c???d?é/**)',
    ]);
  });

  test('any path survives the way through JSON', () => {
    const path = '/a "b"\\c\n\u2028é\ud83d';
    expect(plan({ protect: [path] }).profile.sandbox.filesystem.denyWrite).toEqual([path]);
  });
});
