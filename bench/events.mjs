import { closeSync, openSync, writeSync } from 'node:fs';

const BLOCK_BYTES = 16 * 1024 * 1024;
const SESSION = '8f01e3d1-6192-42f8-b181-ac5c57663719';
const WORDS =
  'the run reads a file and then writes one line of it back — naïve façade, 測試, 🧩 const value = await read(path);\n'.split(
    ' ',
  );

/**
 * Writes at least `bytes` of events like those of a long claude session: short texts and tool calls, results of
 * commands and of reads up to 60 KB, and now and then one of 1 MB. The same bytes on every machine.
 */
export function writeEvents(file, bytes) {
  const block = makeBlock();
  const fd = openSync(file, 'w');
  writeSync(
    fd,
    line({ type: 'system', subtype: 'init', session_id: SESSION, model: 'claude-x', sandbox_enabled: true }),
  );
  for (let written = 0; written < bytes; written += block.length) writeSync(fd, block);
  writeSync(
    fd,
    line({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'done',
      session_id: SESSION,
      num_turns: 9,
    }),
  );
  closeSync(fd);
}

function makeBlock() {
  const random = generator(20_261_130);
  const lines = [];
  for (let size = 0, count = 0; size < BLOCK_BYTES; count += 1) {
    const records = exchange(count, random).map(line);
    lines.push(...records);
    size += records.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  }
  return Buffer.from(lines.join(''));
}

/** A text, a tool call, and its result. */
function exchange(count, random) {
  const id = `toolu_${count}`;
  const usage = {
    input_tokens: 100 + count,
    output_tokens: 20,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 9000,
  };
  const common = {
    parent_tool_use_id: null,
    session_id: SESSION,
    uuid: `1006d19e-d324-427b-adf5-${String(count).padStart(12, '0')}`,
  };
  const assistant = (content) => ({
    type: 'assistant',
    message: {
      id: `msg_${count}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-x',
      content: [content],
      stop_reason: null,
      usage,
    },
    ...common,
  });
  const result = prose(resultLength(random), random);
  return [
    assistant({ type: 'text', text: prose(100 + random() * 900, random) }),
    assistant({ type: 'tool_use', id, name: 'Bash', input: { command: prose(40 + random() * 200, random) } }),
    {
      type: 'user',
      message: {
        role: 'user',
        content: [{ tool_use_id: id, type: 'tool_result', content: result, is_error: false }],
      },
      ...common,
      tool_use_result: { stdout: result, stderr: '', interrupted: false },
    },
  ];
}

function resultLength(random) {
  const kind = random();
  if (kind < 0.7) return 50 + random() * 2000;
  return kind < 0.998 ? 2000 + random() * 28_000 : 500_000;
}

function prose(length, random) {
  let text = '';
  while (text.length < length) text += `${WORDS[Math.floor(random() * WORDS.length)]} `;
  return text;
}

function line(record) {
  return `${JSON.stringify(record)}\n`;
}

/** Numbers in [0, 1) that are the same every time (a linear congruential generator). */
function generator(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
