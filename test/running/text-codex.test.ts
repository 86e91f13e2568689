import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../src/implementers/events.ts';
import { TextRunError } from '../../src/running/text-error.ts';
import { runCodex } from '../../src/running/text.ts';
import type { TextOptions } from '../../src/running/text-options.ts';
import { type Surroundings, surroundings } from '../support/environment.ts';
import { fakeShell, quote } from '../support/fake.ts';

const HELP = `Usage: codex exec [OPTIONS] [PROMPT]

Options:
  -s, --sandbox <MODE>
      --json
      --ephemeral
      --output-schema <FILE>
      --skip-git-repo-check
`;

interface Fake {
  lines: readonly object[];
  help?: string;
  stderr?: string;
  exit?: number;
}

/** A codex on PATH that keeps its arguments and its prompt, copies its schema, and prints these records. */
function fakeCodex(where: Surroundings, { lines, help = HELP, stderr = '', exit = 0 }: Fake): void {
  const print = lines.map((line) => `printf '%s\\n' ${quote(JSON.stringify(line))}`).join('\n');
  fakeShell(
    where,
    `case "$*" in *--help*) printf %s ${quote(help)}; exit 0;; esac
cd ${quote(where.root)}
printf '%s\\n' "$@" >args
cat >prompt
while [ $# -gt 0 ]; do [ "$1" = --output-schema ] && cp "$2" schema; shift; done
printf %s ${quote(stderr)} >&2
${print}
exit ${exit}`,
    { name: 'codex', version: 'codex-cli 0.171.0' },
  );
}

const STARTED = { type: 'thread.started', thread_id: 'T1' };
const COMPLETED = {
  type: 'turn.completed',
  usage: { input_tokens: 9, cached_input_tokens: 4, output_tokens: 3 },
};
const message = (text: unknown, type = 'agent_message'): object => ({
  type: 'item.completed',
  item: { id: 'i', type, text },
});

function ask(where: Surroundings, options: TextOptions = {}) {
  return runCodex('The prompt.', { env: where.env, cwd: where.root, ...options });
}

function argsOf(where: Surroundings): string[] {
  return readFileSync(join(where.root, 'args'), 'utf8').trimEnd().split('\n');
}

async function failing(run: Promise<unknown>): Promise<TextRunError> {
  const error = await run.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof TextRunError) return error;
  throw new Error(`not a failed text run: ${String(error)}`);
}

describe('codex is asked', () => {
  test('read-only, for one time, with the prompt on stdin', async () => {
    const where = surroundings();
    fakeCodex(where, { lines: [STARTED, message('Hello.'), COMPLETED] });
    await ask(where, { model: 'small' });
    const args = argsOf(where);
    expect(args.slice(0, 2)).toEqual(['exec', '--json']);
    expect(args[args.indexOf('-s') + 1]).toBe('read-only');
    expect(args[args.indexOf('-m') + 1]).toBe('small');
    expect(args).toContain('--ephemeral');
    expect(args).not.toContain('--ask-for-approval');
    expect(args.at(-1)).toBe('-');
    expect(readFileSync(join(where.root, 'prompt'), 'utf8')).toBe('The prompt.');
  });

  test('never to ask back, where its help lists that flag', async () => {
    const where = surroundings();
    fakeCodex(where, {
      lines: [message('Hello.'), COMPLETED],
      help: `${HELP}      --ask-for-approval <POLICY>\n`,
    });
    await ask(where);
    const args = argsOf(where);
    expect(args[args.indexOf('--ask-for-approval') + 1]).toBe('never');
  });

  test('with the schema in a file', async () => {
    const where = surroundings();
    const schema = { type: 'object', required: ['n'] };
    fakeCodex(where, { lines: [message('{"n":1}'), COMPLETED] });
    expect(await ask(where, { schema })).toMatchObject({ structuredOutput: { n: 1 } });
    expect(JSON.parse(readFileSync(join(where.root, 'schema'), 'utf8'))).toEqual(schema);
  });
});

describe('its answer', () => {
  test('is the last message that is not empty; the others are progress', async () => {
    const where = surroundings();
    const lines = [
      STARTED,
      message('Looking.', 'AgentMessage'),
      message('Reasons.', 'reasoning'),
      message([{ text: 'The ' }, { content: 'answer.' }], 'agent-message'),
      message(''),
      COMPLETED,
    ];
    fakeCodex(where, { lines });
    const events: AgentEvent[] = [];
    const run = await ask(where, { onEvent: (event) => events.push(event) });
    expect(run).toMatchObject({
      text: 'The answer.',
      claim: 'success',
      sessionId: 'T1',
      usage: { usd: null, inputTokens: 5, outputTokens: 3, cachedTokens: 4 },
    });
    expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : []))).toEqual([
      'Looking.',
      'The answer.',
    ]);
  });

  test.each([
    [
      'turn.failed, whatever the exit code',
      [message('Half'), { type: 'turn.failed', error: { message: 'it broke' } }],
      'it broke',
    ],
    ['no turn.completed', [STARTED, message('Half')], 'without a terminal event'],
  ])('is none after %s', async (_what, lines, why) => {
    const where = surroundings();
    fakeCodex(where, { lines });
    const error = await failing(ask(where));
    expect(error).toMatchObject({ text: 'Half', failure: { status: 'failed', exitCode: 1 } });
    expect(error.message).toContain(why);
  });

  test('is none where it left before its first record, and what it said then is told', async () => {
    const where = surroundings();
    const stderr = 'Not inside a trusted directory and --skip-git-repo-check was not specified.\n';
    fakeCodex(where, { lines: [], stderr, exit: 1 });
    const error = await failing(ask(where));
    expect(error.message).toContain('only in a git repository or a trusted directory');
    expect(error.stderrTail).toEqual([stderr.trim()]);
  });
});
