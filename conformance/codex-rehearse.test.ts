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

async function rehearse(script: string, extra: { [name: string]: string } = {}, flags: string[] = []) {
  const world = realWorld(extra);
  const file = join(world.root, 'try.yaml');
  writeFileSync(file, script);
  const args = ['rehearse', '--json', '--implementer', 'codex', '--script', file, ...flags];
  const ended = await runBaton([...args, '--cd', world.repository.dir], { env: world.env, cwd: world.root });
  return { world, ended, result: JSON.parse(ended.stdout) };
}

describe('baton rehearse with codex', () => {
  test('runs the real CLI through the ordinary dispatch, whatever the user’s own keys and homes are', async () => {
    const { world, ended, result } = await rehearse(SCRIPT, {
      OPENAI_API_KEY: 'of-the-user',
      CODEX_HOME: '/nowhere',
      HTTPS_PROXY: 'http://127.0.0.1:1',
    });
    expect(ended.code).toBe(0);
    expect(result).toMatchObject({
      implementer: 'codex',
      status: 'completed',
      finalMessage: 'The commit was refused.',
      sandbox: 'workspace-write',
      evidence: { changes: [{ path: 'made.txt', kind: 'added' }], violations: [] },
    });
    expect(readdirSync(world.home)).toEqual([]);
    expect(result.briefPath.startsWith(world.state)).toBe(true);
    expect(readdirSync(world.tmp)).toEqual([]);
  });

  test('an error step fails the run as the service would, and a clean environment is no obstacle', async () => {
    const { ended, result } = await rehearse('- error: 429\n', {}, ['--clean-env', '--read-only']);
    expect(ended.code).toBe(1);
    expect(result).toMatchObject({ status: 'failed', cleanEnv: true, agent: { reason: 'rate-limit' } });
  });
});
