import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROGRAMS } from '../../support/baton.ts';
import { ensureBuilt } from '../../support/build.ts';
import { playground, resultIn } from './playing.ts';

/** Plays into files, as baton does, and gives the bytes back. */
async function bytesOf(script: string): Promise<{ stdout: Buffer; stderr: Buffer; code: number | null }> {
  await ensureBuilt();
  const { where, dir } = playground();
  const [file, out, err] = ['s.yaml', 'out', 'err'].map((name) => join(where.root, name));
  if (!file || !out || !err) throw new Error('no names');
  writeFileSync(file, script);
  const fds = [openSync(out, 'a'), openSync(err, 'a')] as const;
  const ran = spawnSync(process.execPath, [PROGRAMS.scripted, '--script', file], {
    cwd: dir,
    env: where.env,
    input: 'brief',
    stdio: ['pipe', ...fds],
  });
  for (const fd of fds) closeSync(fd);
  return { stdout: readFileSync(out), stderr: readFileSync(err), code: ran.status };
}

describe('exact bytes', () => {
  it('prints text and bytes as they are, to either stream', async () => {
    const { stdout, stderr, code } = await bytesOf(`
      init: false
      steps:
        - print: "no newline"
        - bytes: { hex: "00 ff fe 0a" }
        - bytes: { base64: "4Lg=", to: both }
        - stderr: { text: line, times: 3 }
        - no-result
    `);
    expect(code).toBe(0);
    expect(stdout).toEqual(
      Buffer.concat([Buffer.from('no newline'), Buffer.from([0, 255, 254, 10, 0xe0, 0xb8])]),
    );
    expect(stderr).toEqual(Buffer.concat([Buffer.from([0xe0, 0xb8]), Buffer.from('line\nline\nline\n')]));
  });

  it('splits a record over time without losing a byte', async () => {
    const { stdout, stderr } = await bytesOf(`
      init: false
      steps:
        - split: { record: { type: result, result: "中🧩" }, every: 1, gap: 1ms, to: both }
        - no-result
    `);
    expect(stdout.toString('utf8')).toBe('{"type":"result","result":"中🧩"}\n');
    expect(stderr).toEqual(stdout);
  });

  it('cuts a result at exactly that many bytes', async () => {
    const { stdout, code } = await bytesOf('init: false\nsteps: [partial: 64KB]\n');
    expect([code, stdout.length, stdout.includes(10)]).toEqual([0, 65_536, false]);
    expect(stdout.toString('utf8', 0, 19)).toBe('{"duration_api_ms":');
  });

  it('prints a line of many megabytes, in pieces too, and all of it', async () => {
    const whole = await bytesOf('init: false\nsteps: [{line: 12MB}, no-result]\n');
    const pieces = await bytesOf('init: false\nsteps: [{line: {size: 3MB, as: result, every: 1KB}}]\n');
    expect(whole.stdout.length).toBeGreaterThan(12 * 1024 ** 2);
    expect(whole.stdout.indexOf(10)).toBe(whole.stdout.length - 1);
    const record: unknown = JSON.parse(pieces.stdout.toString('utf8'));
    expect(record).toMatchObject({ type: 'result', result: expect.stringMatching(/^.{3145728}$/) });
  });

  it('prints everything through a pipe that is read late', async () => {
    const { play } = playground();
    const { code, records } = await play('- line: { size: 2MB, as: text }\n');
    expect(code).toBe(0);
    expect(String(resultIn(records)['result'])).toHaveLength(2 * 1024 ** 2);
  });

  it('keeps lone surrogates escaped', async () => {
    const { stdout } = await bytesOf(
      'init: false\nsteps: [{record: {type: result, result: "x\\ud83d"}}, no-result]\n',
    );
    expect(stdout.toString('utf8')).toBe('{"type":"result","result":"x\\ud83d"}\n');
  });

  it('knows the noise of others', async () => {
    const { stdout } = await bytesOf(`
      init: false
      steps: [noise: banner, noise: broken-json, noise: values, noise, {concat: [{a: 1}, {b: 2}]}, {array: [{c: 3}]}]
    `);
    const lines = stdout.toString('utf8').split('\n');
    expect(lines).toContain('{bad json');
    expect(lines).toContain('17');
    expect(lines.at(-3)).toMatch(/^\u001b\[\?2004h.*\{"a":1\}\{"b":2\}$/s);
    expect(lines.at(-2)).toBe('[{"c":3}]');
  });

  it.runIf(process.platform === 'linux')('goes on when the disk is full, and exits 1', async () => {
    await ensureBuilt();
    const { where, dir } = playground();
    const script = join(where.root, 's.yaml');
    writeFileSync(script, '- write: { path: made.txt, content: x }\n');
    const play = `echo brief | node ${PROGRAMS.scripted} --script ${script} > /dev/full; echo $?`;
    const code = execFileSync('sh', ['-c', play], { cwd: dir, env: where.env, encoding: 'utf8' });
    expect([code.trim(), readFileSync(join(dir, 'made.txt'), 'utf8')]).toEqual(['1', 'x']);
  });
});
