import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dispatch } from '../support/baton.ts';
import { surroundings, type Surroundings } from '../support/environment.ts';
import { fakeShell, quote } from '../support/fake.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { fakeBytes, lines, proven, result, session } from './proof.ts';

/** A fake that keeps its arguments and opens the session `id`. */
function fakeSession(where: Surroundings, id: string): () => string[] {
  const file = join(where.root, 'args');
  fakeShell(
    where,
    `cat >/dev/null; printf '%s\\n' "$@" >${quote(file)}; printf '${lines(session(id), result({ session_id: id })).replaceAll('\n', '\\n')}'`,
  );
  return () => readFileSync(file, 'utf8').trimEnd().split('\n').slice(-2);
}

describe('F: sessions', () => {
  it('F1 a session is resumed where it began; elsewhere it is refused early with both paths', async () => {
    const where = surroundings();
    const [a, b] = [temporaryFolder(), temporaryFolder()];
    fakeSession(where, 'S1');
    await proven(where, { cd: a });
    const args = fakeSession(where, 'S1');
    const elsewhere = await dispatch(where, { cd: b, args: ['--session', 'S1'] });
    expect(elsewhere).toMatchObject({ code: 2, result: null });
    expect(elsewhere.stderr).toContain(a);
    expect(elsewhere.stderr).toContain(b);
    expect(elsewhere.stderr.trimEnd()).not.toContain('\n');

    // The same directory by another name is the same directory.
    const link = join(where.root, 'link');
    symlinkSync(a, link);
    const run = await proven(where, { cd: link, args: ['--session', 'S1'] });
    expect(args()).toEqual(['--resume', 'S1']);
    expect(run.result).toMatchObject({ resumed: true, sessionId: 'S1', agent: { resumedFrom: 'S1' } });
  });

  it('F1 a session that baton has no record of is left to the CLI', async () => {
    const where = surroundings();
    const args = fakeSession(where, 'of-a-person');
    const run = await proven(where, { cd: temporaryFolder(), args: ['--session', 'of-a-person'] });
    expect(args()).toEqual(['--resume', 'of-a-person']);
    expect(run.result.status).toBe('completed');
  });

  it('F2 the newest id is kept when it changes on resume', async () => {
    const where = surroundings();
    const cd = temporaryFolder();
    fakeSession(where, 'S1');
    await proven(where, { cd });
    fakeSession(where, 'S2');
    const second = await proven(where, { cd, args: ['--session', 'S1'] });
    expect(second.result).toMatchObject({ sessionId: 'S2', agent: { resumedFrom: 'S1' } });
    expect(second.stdout).toContain('--session S2');
    const args = fakeSession(where, 'S3');
    const third = await proven(where, { cd, args: ['--resume-last'] });
    expect(args()).toEqual(['--resume', 'S2']);
    expect(third.result).toMatchObject({ sessionId: 'S3', resumed: true, resumeLast: true });
  });

  it('F2 the id that was asked for stays where the stream names none', async () => {
    const where = surroundings();
    fakeBytes(where, lines(result({ session_id: undefined })));
    const run = await proven(where, { cd: temporaryFolder(), args: ['--session', 'S7'] });
    expect(run.result.sessionId).toBe('S7');
  });

  it('F2 an unknown session is failed with its reason, and the id stays what was asked', async () => {
    const where = surroundings();
    const message = 'No conversation found with session ID: S7';
    fakeBytes(
      where,
      lines(
        result({
          subtype: 'error_during_execution',
          is_error: true,
          result: undefined,
          errors: [message],
          session_id: 'S7',
        }),
      ),
      { exit: 1, before: `echo '${message}' >&2` },
    );
    const run = await proven(where, { cd: temporaryFolder(), args: ['--session', 'S7'] });
    expect(run.result).toMatchObject({
      status: 'failed',
      exitCode: 1,
      sessionId: 'S7',
      error: message,
      stderrTail: [message],
      agent: { reason: 'session-not-found', retryable: false, resumedFrom: 'S7' },
    });
  });

  it('F4 "last" is our own session of this directory, not whichever was last', async () => {
    const where = surroundings();
    const [a, b] = [temporaryFolder(), temporaryFolder()];
    fakeSession(where, 'of-a');
    await proven(where, { cd: a });
    fakeSession(where, 'of-b');
    await proven(where, { cd: b });
    const args = fakeSession(where, 'of-a');
    const run = await proven(where, { cd: a, args: ['--resume-last'] });
    expect(args()).toEqual(['--resume', 'of-a']);
    expect(run.result.agent.resumedFrom).toBe('of-a');
  });

  it('F4 a folder below has its own last session; without one it is left to the CLI', async () => {
    const where = surroundings();
    const a = temporaryFolder();
    mkdirSync(join(a, 'sub'));
    fakeSession(where, 'of-a');
    await proven(where, { cd: a });
    const args = fakeSession(where, 'new');
    const run = await proven(where, { cd: join(a, 'sub'), args: ['--resume-last'] });
    expect(args().at(-1)).toBe('--continue');
    expect(run.result).toMatchObject({ resumed: true, resumeLast: true, agent: { resumedFrom: null } });
  });

  it.each(['--dangerously-skip-permissions', '-c', 'a b', ''])(
    'F4 an id that the stream made up (%j) never becomes an argument',
    async (id) => {
      const where = surroundings();
      const cd = temporaryFolder();
      fakeSession(where, id);
      const first = await proven(where, { cd });
      expect(first.stdout).not.toContain('baton dispatch --session');
      const args = fakeSession(where, 'S2');
      await proven(where, { cd, args: ['--resume-last'] });
      expect(args().at(-1)).toBe('--continue');
    },
  );

  it('F4 a record that was damaged or removed is no record', async () => {
    const where = surroundings();
    const cd = temporaryFolder();
    fakeSession(where, 'S1');
    await proven(where, { cd });
    rmSync(join(where.state, 'sessions'), { recursive: true });
    const args = fakeSession(where, 'S2');
    await proven(where, { cd, args: ['--resume-last'] });
    expect(args().at(-1)).toBe('--continue');
  });
});
