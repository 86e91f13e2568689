import { spawn } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { PROGRAMS } from '../support/baton.ts';
import { ensureBuilt } from '../support/build.ts';
import { surroundings, type Surroundings } from '../support/environment.ts';
import { fakeNode, fakeShell, quote } from '../support/fake.ts';
import { text } from '../support/records.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { eventsOf, fakeBytes, lines, proven, type Proven, result, session } from './proof.ts';

let repository: TestRepository;
beforeAll(() => {
  repository = makeRepository();
});

/** Dispatches to a fake that prints exactly these bytes, and checks that the log kept them. */
async function read(bytes: string | Uint8Array, exit = 0): Promise<Proven> {
  const where = surroundings();
  fakeBytes(where, bytes, { exit });
  const run = await proven(where, { cd: repository.dir });
  expect(eventsOf(run).equals(Buffer.from(bytes))).toBe(true);
  expect(run.result.stream.bytes).toBe(Buffer.from(bytes).length);
  return run;
}

describe('A: stream framing and bytes', () => {
  it.each([
    ['nothing', ''],
    ['a carriage return', '\r'],
    ['spaces', '   '],
  ])('A1 a final line without newline is read: ended by %s', async (_, end) => {
    const run = await read(`${session()}\n${result({ result: 'the last word' })}${end}`);
    expect(run.result).toMatchObject({ status: 'completed', finalMessage: 'the last word', sessionId: 'S1' });
    expect(run.result.stream).toMatchObject({ events: 2, unreadable: 0, truncated: false });
  });

  it('A2 bytes one at a time, stdout and stderr, keep every character', async () => {
    const where = surroundings();
    const stdout = lines(session(), result({ result: '中🧩é\u2028' }));
    const stderr = 'wärning 中🧩\n';
    fakeNode(
      where,
      `const { writeSync } = require('node:fs');
      process.stdin.resume().on('end', () => {
        const out = Buffer.from(${JSON.stringify(stdout)});
        const err = Buffer.from(${JSON.stringify(stderr)});
        const flag = new Int32Array(new SharedArrayBuffer(4));
        for (let i = 0; i < Math.max(out.length, err.length); i += 1) {
          if (i < out.length) writeSync(1, out, i, 1);
          if (i < err.length) writeSync(2, err, i, 1);
          Atomics.wait(flag, 0, 0, 5);
        }
      });`,
    );
    const run = await proven(where, { cd: repository.dir });
    expect(run.result).toMatchObject({ status: 'completed', finalMessage: '中🧩é\u2028' });
    expect(run.result.stream).toMatchObject({ events: 2, unreadable: 0 });
    expect(eventsOf(run).toString()).toBe(stdout);
    expect(readFileSync(join(run.dir, 'stderr.txt'), 'utf8')).toBe(stderr);
    expect(run.stderr).toContain(stderr);
  });

  it.each([
    ['12 MiB at once', 12, 1024 * 1024],
    ['12 MiB in pieces of 1 KiB', 12, 1024],
    ['50 MB at once', 50, 1024 * 1024],
  ])('A4 one event of %s is read, and the result behind it', async (_, megabytes, piece) => {
    const where = surroundings();
    const content = 'x'.repeat(megabytes * 1024 * 1024);
    const big = JSON.stringify({
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: 't', content }] },
    });
    const file = join(where.root, 'stream');
    writeFileSync(file, lines(session(), big, result({ result: 'fin' })));
    fakeShell(where, `cat >/dev/null; dd if=${quote(file)} bs=${piece} 2>/dev/null`);
    const run = await proven(where, { cd: repository.dir });
    expect(run.result).toMatchObject({ status: 'completed', finalMessage: 'fin' });
    expect(run.result.stream).toMatchObject({ events: 3, oversize: 0, bytes: statSync(file).size });
    expect(eventsOf(run).equals(readFileSync(file))).toBe(true);
    // Far above what it takes; a reader that goes over the whole line for each piece takes minutes.
    expect(run.result.process.durationMs).toBeLessThan(30_000);
  });

  it('A4 a line above the cap is dropped alone and counted; what follows is read', async () => {
    const where = surroundings();
    const [before, after] = [join(where.root, 'before'), join(where.root, 'after')];
    writeFileSync(before, lines(session(), text('so far')));
    writeFileSync(after, lines('', result({ result: 'fin' })));
    fakeShell(
      where,
      `cat >/dev/null; cat ${quote(before)}; printf '{"type":"x","pad":"'; head -c 68000000 /dev/zero | tr '\\0' x; printf '"}'; cat ${quote(after)}`,
    );
    const run = await proven(where, { cd: repository.dir });
    expect(run.result).toMatchObject({ status: 'completed', finalMessage: 'fin' });
    expect(run.result.stream).toMatchObject({ events: 3, oversize: 1, unreadable: 0, truncated: false });
    expect(run.stdout).toContain('1 record over the size limit skipped');
  });

  it('A4 a final message of 3 MiB is kept whole, in the result and beside it', async () => {
    const message = '🧩ab\n'.repeat(450_000);
    const run = await read(lines(session(), result({ result: message })));
    expect(run.result.status).toBe('completed');
    expect(run.result.finalMessage === message).toBe(true);
    expect(run.stdout.length).toBeGreaterThan(message.length);
  });

  it('A6 lines that are no JSON are skipped and counted', async () => {
    const run = await read(
      lines('Now using node v20', '[DEBUG] x', session(), '{bad json', '{"type":}', '', result()),
    );
    expect(run.result).toMatchObject({ status: 'completed', sessionId: 'S1' });
    expect(run.result.stream).toMatchObject({ events: 2, unreadable: 4, truncated: false });
  });

  it('A6 bytes that are no text at all are skipped and counted', async () => {
    const noise = Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x7b, 0xc0, 0x0a]);
    const run = await read(Buffer.concat([noise, Buffer.from(lines(session(), result())), noise]));
    expect(run.result).toMatchObject({ status: 'completed' });
    expect(run.result.stream).toMatchObject({ events: 2, unreadable: 2 });
  });

  it('A6 a result that a log line, stderr or the agent quotes does not count', async () => {
    const where = surroundings();
    const fake = result({ result: 'fake' });
    fakeBytes(where, lines(session(), `[LOG] ${fake}`, JSON.stringify(fake), text(fake)), {
      before: `printf '%s\\n' ${quote(fake)} >&2`,
    });
    const run = await proven(where, { cd: repository.dir });
    expect(run.result).toMatchObject({ status: 'failed', exitCode: 1, agent: { claim: 'none' } });
    expect(run.result.finalMessage).toBe(fake);
  });

  it.each([
    ['a mode and a title', '\u001b[?2004h\u001b]0;title\u0007'],
    ['a title that ends in ST', '\u001b]2;a{b\u001b\\'],
    ['colours and a cleared line', '\u001b[0m\u001b[2K\r'],
    ['a byte order mark', '\ufeff'],
  ])('A7 a record behind terminal noise is recognised: %s', async (_, noise) => {
    const run = await read(`${noise}${session()}\n${noise}${result()}\n${noise}`);
    expect(run.result).toMatchObject({ status: 'completed', sessionId: 'S1' });
    expect(run.result.stream).toMatchObject({ events: 2, unreadable: 0 });
  });

  it('A8 JSON that is no object is ignored', async () => {
    const run = await read(lines('null', '"s"', '17', '[]', 'true', '[[1]]', session(), result()));
    expect(run.result).toMatchObject({ status: 'completed', stream: { events: 2, unreadable: 0 } });
  });

  it('A8 a whole document as one array is searched for its records', async () => {
    const run = await read(`[${session()},${result({ result: 'from an array' })}]\n`);
    expect(run.result).toMatchObject({ status: 'completed', finalMessage: 'from an array', sessionId: 'S1' });
  });

  it('A8 records with fields of the wrong kind are no TypeError', async () => {
    const odd = [
      '{}',
      '{"type":null}',
      '{"type":"assistant"}',
      '{"type":"assistant","message":7}',
      '{"type":"assistant","message":{"content":{"a":1}}}',
      '{"type":"assistant","message":{"id":[],"content":[null,3,{"type":"text","text":[]},{"type":"tool_use"}],"usage":"none"}}',
      '{"type":"user","message":{"content":[{"type":"tool_result","content":{"x":1},"is_error":true}]}}',
      '{"type":"system","subtype":"init","session_id":12,"tools":"x"}',
      '{"type":"system","subtype":"permission_denied"}',
      '{"type":"rate_limit_event","rate_limit_info":"soon"}',
      '{"__proto__":{"type":"result","subtype":"success","is_error":false}}',
    ];
    const ending = result({
      num_turns: 'x',
      usage: [],
      total_cost_usd: {},
      permission_denials: 'none',
      modelUsage: 3,
    });
    const run = await read(lines(session(), ...odd, ending));
    expect(run.result).toMatchObject({ status: 'completed', sessionId: 'S1', numTurns: null });
    expect(run.result.stream).toMatchObject({ events: odd.length + 2, unreadable: 0 });
  });

  it('A9 several objects on one line are recovered', async () => {
    const run = await read(`${session()}${text('mid')} ${result({ result: 'x' })}`);
    expect(run.result).toMatchObject({ status: 'completed', finalMessage: 'x', sessionId: 'S1' });
    expect(run.result.stream).toMatchObject({ events: 3, unreadable: 0 });
  });

  it('A9 an object glued to half of another is no false success', async () => {
    const run = await read(`${session()}\n${text('mid')}${result().slice(0, -9)}`);
    expect(run.result).toMatchObject({ status: 'failed', finalMessage: 'mid', agent: { claim: 'none' } });
    expect(run.result.stream.truncated).toBe(true);
  });

  it('A9 CRLF is accepted', async () => {
    const run = await read(lines(session(), text('a\r\nb'), result()).replaceAll('\n', '\r\n'));
    expect(run.result).toMatchObject({ status: 'completed', stream: { events: 3, unreadable: 0 } });
  });

  it.each([
    ['65,536 bytes of the last line', (line: Buffer) => line.subarray(0, 65_536)],
    ['its first byte', (line: Buffer) => line.subarray(0, 1)],
    ['a character cut in two', (line: Buffer) => line.subarray(0, line.indexOf('中') + 2)],
    ['all but its last brace', (line: Buffer) => line.subarray(0, -1)],
  ])('A10 an output that is cut and exit 0 is no success: %s', async (_, cut) => {
    const head = Buffer.from(lines(session(), text('report')));
    const line = Buffer.from(result({ result: `中${'long '.repeat(20_000)}` }));
    const run = await read(Buffer.concat([head, cut(line)]));
    expect(run.result).toMatchObject({
      status: 'failed',
      exitCode: 1,
      sessionId: 'S1',
      finalMessage: 'report',
      agent: { claim: 'none', finalTextSource: 'assistant' },
      stream: { truncated: true, events: 2 },
    });
    expect(run.stdout).toContain('it was cut');
  });

  it('A10 a log that shrinks while it is read is said to be truncated', async () => {
    const where = surroundings();
    // The log's name reaches the fake by the settings file beside it.
    fakeShell(
      where,
      `cat >/dev/null
      while [ "$1" != --settings ]; do shift; done
      log="$(dirname "$2")/events.jsonl"
      printf '%s\\n' ${quote(session())} ${quote(text('first words, long enough to be cut back'))}
      sleep 1
      : >"$log"
      sleep 1
      printf '%s\\n' ${quote(result())}`,
    );
    const run = await proven(where, { cd: repository.dir });
    expect(run.result).toMatchObject({ status: 'completed', stream: { truncated: true } });
    expect(run.stdout).toContain('the log shrank');
  });

  describe('A11 baton does not cut its own output', () => {
    const report = 'line of the report\n'.repeat(60_000);

    it('A11 a large --json drains into a slow pipe, and is the same as into a file', async () => {
      const { where, base } = await large();
      const piped = join(where.root, 'piped');
      const file = join(where.root, 'file');
      const slow = await shell(where, `${base} --json --out-dir one | (sleep 1; cat) >${quote(piped)}`);
      const direct = await shell(where, `${base} --json --out-dir two >${quote(file)}`);
      expect([slow.stderr, direct.stderr]).toEqual(['', '']);
      for (const [output, dir] of [
        [piped, 'one'],
        [file, 'two'],
      ] as const) {
        const written: unknown = JSON.parse(readFileSync(join(where.root, dir, 'result.json'), 'utf8'));
        expect(readFileSync(output, 'utf8') === `${JSON.stringify(written)}\n`).toBe(true);
      }
    });

    it.each(['', '--json'])(
      'A11 a reader that leaves early sees no stack trace: dispatch %s',
      async (flag) => {
        const { where, base } = await large();
        const ended = await shell(
          where,
          `{ ${base} ${flag} --out-dir one; echo "exit $?" >&2; } | head -c 20 >/dev/null`,
        );
        expect(ended.stderr).toBe('exit 0\n');
        expect(statSync(join(where.root, 'one', 'result.json')).size).toBeGreaterThan(report.length);
      },
    );

    async function large(): Promise<{ where: Surroundings; base: string }> {
      await ensureBuilt();
      const where = surroundings();
      fakeBytes(where, lines(session(), result({ result: report })));
      return {
        where,
        base: `node ${quote(PROGRAMS.baton)} dispatch --cd ${quote(repository.dir)} --brief brief.md`,
      };
    }
  });

  it.each([60_000, 300_000])(
    'A12 %i bytes that are printed right before the exit are all read',
    async (size) => {
      const where = surroundings();
      const stdout = lines(session(), text('y'.repeat(size)), result({ result: 'after all' }));
      const file = join(where.root, 'stream');
      writeFileSync(file, stdout);
      fakeShell(where, `cat >/dev/null; exec cat ${quote(file)}`);
      const run = await proven(where, { cd: repository.dir });
      expect(run.result).toMatchObject({ status: 'completed', finalMessage: 'after all' });
      expect(run.result.stream).toMatchObject({ events: 3, bytes: Buffer.byteLength(stdout) });
    },
  );

  it('A14 lone surrogates stay readable everywhere', async () => {
    const lone = String.raw`x\ud83d`;
    const denied = JSON.stringify([
      { tool_name: 'Write', tool_use_id: 't1', tool_input: { content: `${'a'.repeat(1999)}🧩`, path: '@' } },
    ]).replace('@', String.raw`\udfff`);
    const ending = result({ result: '@' })
      .replace('@', lone)
      .replace(/}$/, `,"permission_denials":${denied}}`);
    const run = await read(lines(session(), text('@').replace('@', lone), ending));
    expect(run.result).toMatchObject({ status: 'completed', finalMessage: 'x\ud83d' });
    expect(readFileSync(join(run.dir, 'final.txt'))).toEqual(Buffer.from('x\ufffd'));
    const [denial] = run.result.agent.denials;
    expect(denial).toBeDefined();
    expect(JSON.stringify(denial?.input)).not.toMatch(/\\ud83d/);
    expect(run.stdout.includes('\u0000')).toBe(false);
  });

  it('A14 line separators of Unicode inside a record do not end it', async () => {
    const message = 'a\u2028b\u2029c\u0085d\u000be';
    const run = await read(`${session()}\n${result({ result: message })}\n`);
    expect(run.result).toMatchObject({ status: 'completed', finalMessage: message, stream: { events: 2 } });
  });

  it('A15 200 KB of stderr are drained, kept, and shown', async () => {
    const where = surroundings();
    const noise = 'noise on stderr\n'.repeat(12_800);
    const file = join(where.root, 'noise');
    writeFileSync(file, noise);
    fakeBytes(where, lines(session(), result()), { before: `cat ${quote(file)} >&2` });
    const run = await proven(where, { cd: repository.dir });
    expect(run.result.status).toBe('completed');
    expect(readFileSync(join(run.dir, 'stderr.txt'), 'utf8') === noise).toBe(true);
    expect(run.stderr === noise).toBe(true);
  });
});

/** Runs a pipeline of the shell in a world whose root holds `brief.md`. */
function shell(where: Surroundings, command: string): Promise<{ code: number | null; stderr: string }> {
  writeFileSync(join(where.root, 'brief.md'), 'Do it.\n');
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command], {
      cwd: where.root,
      env: where.env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stderr }));
  });
}
