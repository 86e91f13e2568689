import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runBaton } from '../test/support/baton.ts';
import { realWorld } from './support.ts';

const SCRIPT = `
- turn:
    - say: I will try.
    - write: { path: made.txt, content: "made\\n" }
- bash: git commit --allow-empty -m x
- say: The commit was refused.
`;

function rehearse(script: string, extra: { [name: string]: string } = {}, flags: string[] = []) {
  const world = realWorld(extra);
  const file = join(world.root, 'try.yaml');
  writeFileSync(file, script);
  const args = [
    'rehearse',
    '--implementer',
    'claude',
    '--script',
    file,
    '--cd',
    world.repository.dir,
    ...flags,
  ];
  return { world, ended: runBaton(args, { env: world.env, cwd: world.root }) };
}

describe('baton rehearse', () => {
  test('runs the real claude through the ordinary dispatch, whatever the user’s own keys and endpoints are', async () => {
    const { world, ended } = rehearse(
      SCRIPT,
      {
        ANTHROPIC_API_KEY: 'of-the-user',
        ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
        HTTPS_PROXY: 'http://127.0.0.1:1',
      },
      ['--json'],
    );
    const homeBefore = readdirSync(world.home);
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({
      status: 'completed',
      finalMessage: 'The commit was refused.',
      shellSandbox: 'strict',
      agent: { denials: [{ tool: 'Bash', input: { command: 'git commit --allow-empty -m x' } }] },
      evidence: { changes: [{ path: 'made.txt', kind: 'added' }], violations: [] },
    });
    expect(readdirSync(world.home)).toEqual(homeBefore);
    expect(result.briefPath.startsWith(world.state)).toBe(true);
    expect(readdirSync(world.tmp).filter((name) => name.startsWith('baton-rehearsal-'))).toEqual([]);
  });

  test('an error step fails the run as the service would', async () => {
    const { ended } = rehearse('- error: 429\n', {}, ['--json']);
    const { code, stdout } = await ended;
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'failed',
      agent: { reason: 'rate-limit', retries: 2 },
    });
  });

  test('a script that ends too early says so', async () => {
    const { ended } = rehearse('- bash: echo hi\n', {}, ['--json']);
    expect(JSON.parse((await ended).stdout)).toMatchObject({ finalMessage: 'The script has no step left.' });
  });

  test.each([
    ['- shout: x\n', [], 'step 1: unknown field "shout"'],
    ['- say: x\n', ['--resume-last'], 'there is no session to go on with'],
    ['- say: x\n', ['--implementer', 'scripted'], 'claude and codex can'],
  ])('%j %j is refused before anything is made', async (script, flags, message) => {
    const { world, ended } = rehearse(script, {}, flags);
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(message);
    expect(readdirSync(world.state)).toEqual([]);
  });
});
