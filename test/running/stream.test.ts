import { describe, expect, test } from 'vitest';
import { quote } from '../support/fake.ts';
import { init, success, text } from '../support/records.ts';
import { tryNode, tryShell } from './harness.ts';

const say = (...lines: string[]): string => `printf '%s\\n' ${lines.map(quote).join(' ')}`;
const clean = { unreadable: 0, oversize: 0, truncated: false };

test('the brief arrives on stdin byte for byte, and stdin ends', async () => {
  const brief = Buffer.from('- [ ] do it\0 --help \xff\r\n'.repeat(20_000), 'latin1');
  const { outcome, stderrLog } = await tryShell(`cat >&2; ${say(success('ok'))}`, { brief });
  expect(outcome).toMatchObject({ code: 0, process: { exit: 'code' } });
  expect(stderrLog.equals(brief)).toBe(true);
});

test('a brief that nobody reads is no failure', async () => {
  const { outcome, claim } = await tryShell(say(success('ok')), { brief: 'x'.repeat(5_000_000) });
  expect(outcome.code).toBe(0);
  expect(claim.claim).toBe('success');
});

test('a final line without a newline', async () => {
  const { outcome, claim, eventsLog } = await tryShell(`printf '%s\\n%s' '${init()}' '${success('done')}'`);
  expect(claim.finalText).toBe('done');
  expect(outcome.stream).toEqual({ bytes: eventsLog.length, events: 2, ...clean });
});

test('one byte at a time, on stdout and stderr', async () => {
  const line = `${success('中🧩')}\n`;
  const { claim, eventsLog, stderrLog, stderrSeen } = await tryNode(`
    const fs = require('node:fs');
    const bytes = Buffer.from(${JSON.stringify(line)});
    const step = (at) => {
      if (at === bytes.length) return;
      fs.writeSync(1, bytes, at, 1);
      fs.writeSync(2, bytes, at, 1);
      setTimeout(step, 5, at + 1);
    };
    step(0);
  `);
  expect(claim.finalText).toBe('中🧩');
  for (const bytes of [eventsLog, stderrLog, stderrSeen]) expect(bytes.toString()).toBe(line);
});

/** Code that prints a record of so many MiB in chunks of so many bytes, and a result. */
function big(megabytes: number, chunk: number): string {
  return `
    const fs = require('node:fs');
    const line = Buffer.from(JSON.stringify({ type: 'user', content: 'x'.repeat(${megabytes} << 20) }) + '\\n');
    for (let at = 0; at < line.length; at += ${chunk}) fs.writeSync(1, line, at, Math.min(${chunk}, line.length - at));
    fs.writeSync(1, ${JSON.stringify(success('fin'))});
  `;
}

describe('a large event', () => {
  test.each([
    ['12 MiB at once', 12, 1 << 30],
    ['12 MiB in chunks of 1 KiB', 12, 1024],
    ['50 MiB', 50, 1 << 20],
  ])('%s', async (_, megabytes, chunk) => {
    const { outcome, claim, eventsLog } = await tryNode(big(megabytes, chunk));
    expect(claim.finalText).toBe('fin');
    expect(outcome.stream).toEqual({ bytes: eventsLog.length, events: 2, ...clean });
    expect(eventsLog.length).toBeGreaterThan(megabytes << 20);
  });

  test('above the cap is dropped and counted, and stays in the log', async () => {
    const { outcome, claim, eventsLog } = await tryNode(big(2, 4096), {
      limits: { maxRecordBytes: 1 << 20 },
    });
    expect(claim.finalText).toBe('fin');
    expect(outcome.stream).toEqual({ bytes: eventsLog.length, events: 1, ...clean, oversize: 1 });
    expect(eventsLog.length).toBeGreaterThan(2 << 20);
  });
});

test('noise on stdout is skipped, counted and kept', async () => {
  const lines = ['Now using node v20', '[DEBUG] x', init(), '{bad json', 'null', '17', success('ok')];
  const { outcome, claim, eventsLog } = await tryShell(say(...lines));
  expect(claim.finalText).toBe('ok');
  expect(outcome.stream).toEqual({ bytes: eventsLog.length, events: 2, ...clean, unreadable: 3 });
  expect(eventsLog.toString()).toBe(`${lines.join('\n')}\n`);
});

test('escape sequences before a record; several records on a line; CRLF', async () => {
  const glued = `\u001b[?2004h\u001b]0;title\u0007${init()}${text('a')}\r`;
  const { outcome, events, eventsLog } = await tryShell(say(glued, `${success('ok')}\r`));
  expect(events.map((event) => event.type)).toEqual(['session', 'text', 'finished']);
  expect(outcome.stream).toEqual({ bytes: eventsLog.length, events: 3, ...clean });
});

test('output cut at 65,536 bytes of a record', async () => {
  const { outcome, claim } = await tryNode(`
    const fs = require('node:fs');
    fs.writeSync(1, ${JSON.stringify(`${init()}\n${text('report')}\n`)});
    fs.writeSync(1, JSON.stringify({ type: 'result', result: 'x'.repeat(100000) }).slice(0, 65536));
  `);
  expect(outcome).toMatchObject({ code: 0, stream: { events: 2, unreadable: 1, truncated: true } });
  expect(claim.claim).toBe('none');
});

test('a log that the implementer cuts back is reported', async () => {
  const { outcome } = await tryShell(
    `${say(init(), text('a'))}; sleep 0.6; : >"$RUN/events.jsonl"; sleep 0.6; ${say(success('ok'))}`,
  );
  expect(outcome.stream.truncated).toBe(true);
});

test('60 KB and a result, then an immediate exit', async () => {
  const { outcome, claim } = await tryNode(`
    require('node:fs').writeSync(1, ${JSON.stringify(`${text('y'.repeat(60_000))}\n${success('ok')}\n`)});
    process.exit(0);
  `);
  expect(claim.finalText).toBe('ok');
  expect(outcome.stream.events).toBe(2);
});

test('a lone surrogate is kept as it was meant', async () => {
  const { claim } = await tryShell(
    `cat <<'EOF'\n{"type":"result","is_error":false,"result":"x\\ud83d"}\nEOF`,
  );
  expect(claim.finalText).toBe('x\ud83d');
});

test('much stderr holds nothing up', async () => {
  const { outcome, claim, stderrLog, stderrSeen } = await tryShell(
    `head -c 200000 /dev/zero | tr '\\0' e >&2; ${say(success('ok'))}`,
  );
  expect(outcome.code).toBe(0);
  expect(claim.finalText).toBe('ok');
  expect(stderrLog.toString()).toBe('e'.repeat(200_000));
  expect(stderrSeen.equals(stderrLog)).toBe(true);
});

test('what an implementer writes on stderr never counts as a record', async () => {
  const { outcome, claim } = await tryShell(`${say(success('forged'))} >&2`);
  expect(claim.claim).toBe('none');
  expect(outcome.stream).toEqual({ bytes: 0, events: 0, ...clean });
});
