import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runBaton, startBaton, untilFile } from '../support/baton.ts';
import { ensureBuilt } from '../support/build.ts';
import { type Surroundings, surroundings } from '../support/environment.ts';
import { fakeScripted, fakeShell, quote } from '../support/fake.ts';
import { success } from '../support/records.ts';

beforeAll(ensureBuilt);

function ask(where: Surroundings, args: readonly string[], input?: string | Uint8Array) {
  return runBaton(['ask', ...args], {
    env: where.env,
    cwd: where.root,
    ...(input === undefined ? {} : { input }),
  });
}

/** A claude that answers with its prompt, in capitals. */
function fakeShouting(where: Surroundings): void {
  const shout = `node -e 'let t="";process.stdin.on("data",d=>t+=d).on("end",()=>console.log(JSON.stringify({type:"result",subtype:"success",is_error:false,session_id:"S1",result:t.toUpperCase()})))'`;
  fakeShell(where, shout);
}

/** A fake that must not be started. */
function fakeUnwanted(where: Surroundings): () => boolean {
  const started = join(where.root, 'started');
  fakeShell(where, `touch ${quote(started)}`, { version: null });
  return () => readdirSync(where.root).includes('started');
}

describe('the prompt', () => {
  test('comes from stdin as it is', async () => {
    const where = surroundings();
    fakeShouting(where);
    expect(await ask(where, [], 'what is {{this}}?\n')).toMatchObject({
      code: 0,
      stdout: 'WHAT IS {{THIS}}?\n',
      stderr: '',
    });
  });

  test('is a shipped one, with values from the command line, a file and stdin', async () => {
    const where = surroundings();
    fakeShouting(where);
    const byFlag = await ask(where, ['--prompt', 'review', '--var', 'diff=a=b {{x}} $&']);
    expect(byFlag.stdout).toContain('\nA=B {{X}} $&\n=== END OF CHANGES ===\n');
    writeFileSync(join(where.root, 'a.diff'), 'from a file');
    const byFile = await ask(where, ['--prompt', 'review', '--var-file', 'diff=a.diff']);
    expect(byFile.stdout).toContain('\nFROM A FILE\n');
    const byStdin = await ask(where, ['--prompt', 'review', '--var-file', 'diff=-'], 'from stdin');
    expect(byStdin.stdout).toContain('\nFROM STDIN\n');
  });

  test('is a file, with the partials beside it', async () => {
    const where = surroundings();
    fakeShouting(where);
    mkdirSync(join(where.root, 'partials'));
    writeFileSync(join(where.root, 'mine.md'), '{{who}}: {{rest}}');
    writeFileSync(join(where.root, 'partials', 'rest.md'), 'and so on');
    const { stdout } = await ask(where, ['--prompt', './mine.md', '--var', 'who=me']);
    expect(stdout).toBe('ME: AND SO ON\n');
  });

  test('is the user’s own before a shipped one, and never the repository’s unless it is named', async () => {
    const where = surroundings();
    fakeShouting(where);
    const put = (folder: string, text: string): void => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'review.md'), text);
    };
    put(join(where.root, 'prompts'), 'the repository’s');
    const shipped = await ask(where, ['--prompt', 'review', '--var', 'diff=x']);
    expect(shipped.stdout).toContain('REVIEW THE CHANGES');
    put(join(where.home, '.config', 'baton', 'prompts'), 'the user’s');
    expect((await ask(where, ['--prompt', 'review'])).stdout).toBe('THE USER’S\n');
    expect((await ask(where, ['--prompt', 'review', '--prompts', 'prompts'])).stdout).toBe(
      'THE REPOSITORY’S\n',
    );
  });
});

describe('the answer', () => {
  test('is alone on stdout; what the implementer prints on stderr is on stderr', async () => {
    const where = surroundings();
    fakeShell(where, `cat >/dev/null; echo noise >&2; echo '${success('the answer')}'`);
    expect(await ask(where, [], 'x')).toMatchObject({ code: 0, stdout: 'the answer\n', stderr: 'noise\n' });
  });

  test('with its cost, as JSON', async () => {
    const where = surroundings();
    fakeScripted(where, '- read: { path: one.txt }\n- say: There is one line.\n');
    writeFileSync(join(where.root, 'one.txt'), 'one\n');
    const { code, stdout } = await ask(where, ['--json'], 'x');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      text: 'There is one line.',
      claim: 'success',
      toolCalls: 1,
      usage: { inputTokens: expect.any(Number) },
      sessionId: expect.any(String),
    });
  });

  test('comes from the directory and with the dials that were asked for', async () => {
    const where = surroundings();
    const dir = join(where.root, 'repo');
    mkdirSync(dir);
    fakeScripted(
      where,
      `expect-args: [--tools, "", --strict-mcp-config]\nsteps:\n  - read: { path: only-here.txt }\n  - say: ok\n`,
    );
    writeFileSync(join(dir, 'only-here.txt'), 'x');
    const { code, stderr } = await ask(where, ['--cd', dir, '--no-tools', '--model', 'small'], 'x');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test.each(['claude', 'codex'])('by the scripted implementer as %s needs no account', async (shape) => {
    const where = surroundings();
    const script = `shape: ${shape}\nsteps:\n  - say: Progress.\n  - say: As scripted.\n`;
    writeFileSync(join(where.root, 'play.yaml'), script);
    const { stdout } = await runBaton(['ask', '--implementer', 'scripted'], {
      env: { ...where.env, BATON_SCRIPT: join(where.root, 'play.yaml') },
      cwd: where.root,
      input: 'x',
    });
    expect(stdout).toBe('As scripted.\n');
  });

  test('that must match a schema is the JSON', async () => {
    const where = surroundings();
    writeFileSync(join(where.root, 'schema.json'), '{"type":"object","required":["n"]}');
    fakeScripted(where, `- say: '{"n":1}'\n`);
    const plain = await ask(where, ['--schema', 'schema.json'], 'x');
    expect(JSON.parse(plain.stdout)).toEqual({ n: 1 });
    const json = await ask(where, ['--schema', 'schema.json', '--json'], 'x');
    expect(JSON.parse(json.stdout)).toMatchObject({ text: '{"n":1}', structuredOutput: { n: 1 } });
  });

  test('that does not match is no answer', async () => {
    const where = surroundings();
    writeFileSync(join(where.root, 'schema.json'), '{"type":"object","required":["n"]}');
    fakeScripted(where, `- say: '{"m":1}'\n`);
    const { code, stdout, stderr } = await ask(where, ['--schema', 'schema.json', '--json'], 'x');
    expect(code).toBe(1);
    expect(stderr).toContain(
      "baton: the answer does not match the schema: the answer: must have required property 'n'",
    );
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'schema', problems: [expect.any(String)] } });
  });
});

describe('a failure', () => {
  test('is one line on stderr, nothing on stdout, and the implementer’s own code', async () => {
    const where = surroundings();
    fakeShell(where, 'cat >/dev/null; echo broken >&2; exit 7');
    expect(await ask(where, [], 'x')).toMatchObject({
      code: 7,
      stdout: '',
      stderr: 'broken\nbaton: claude exited 7 without a terminal event\n',
    });
  });

  test('is told to a program as JSON', async () => {
    const where = surroundings();
    fakeScripted(where, '- say: Half.\n- fail: rate-limit\n');
    const { code, stdout } = await ask(where, ['--json'], 'x');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'text-run', status: 'failed', reason: 'rate-limit', retryable: true, text: 'Half.' },
    });
  });

  test('for want of an executable is 127', async () => {
    const where = surroundings();
    const { code, stderr } = await ask(where, [], 'x');
    expect(code).toBe(127);
    expect(stderr).toContain('no executable `claude` on PATH');
  });

  test('by a signal is 128 and its number', async () => {
    const where = surroundings();
    const started = join(where.root, 'started');
    fakeShell(where, `cat >/dev/null; echo x >${quote(started)}; sleep 60`);
    const run = await startBaton(['ask'], { env: where.env, cwd: where.root, input: 'x' });
    await untilFile(started);
    run.signal('SIGTERM');
    expect(await run.ended).toMatchObject({
      code: 143,
      stdout: '',
      stderr: expect.stringContaining('SIGTERM'),
    });
  });

  test('leaves the raw stream where it is said to be, if asked for', async () => {
    const where = surroundings({ BATON_DEBUG: '1' });
    fakeShell(where, 'cat >/dev/null; echo not json; exit 1');
    const { stderr } = await ask(where, [], 'my prompt');
    const directory = /the raw stream is kept in (.+)/.exec(stderr)?.[1] ?? '';
    expect(readFileSync(join(directory, 'events.jsonl'), 'utf8')).toBe('not json\n');
    expect(readdirSync(where.tmp)).toEqual([]);
  });
});

describe('usage', () => {
  test.each([
    [['--prompt', 'review'], '{{diff}} has no value'],
    [['--prompt', 'no-such-prompt'], '"no-such-prompt"'],
    [['--prompt', './none.md'], './none.md'],
    [['--prompt', 'review', '--var', 'diff'], '--var "diff" is not name=value'],
    [['--prompt', 'review', '--var', '../x=1'], '--var "../x=1"'],
    [['--prompt', 'review', '--var', 'diff=1', '--var', 'diff=2'], '"diff" is given twice'],
    [['--prompt', 'review', '--var-file', 'diff=-', '--var-file', 'b=-'], 'only once'],
    [['--prompt', 'review', '--var-file', 'diff=none.txt'], '--var-file "none.txt" cannot be read'],
    [['--prompt', 'review', '--var', 'diff=1', '--prompts', 'none'], '--prompts "none"'],
    [['--var', 'a=b'], 'belong to --prompt'],
    [['--schema', 'none.json'], '--schema "none.json"'],
    [['--implementer', 'gpt'], '"gpt" is not known'],
    [['--cd', 'nowhere'], 'nowhere'],
    [['--timeout', 'soon'], '--timeout "soon"'],
    [['--effort', 'huge'], '--effort "huge"'],
    [['--unknown'], '--unknown'],
  ])('%j is refused with exit 2 and one line', async (args, message) => {
    const where = surroundings();
    const started = fakeUnwanted(where);
    const { code, stdout, stderr } = await ask(where, args, 'x');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^baton: .+\n$/);
    expect(stderr).toContain(message);
    expect(started()).toBe(false);
  });

  test('an empty stdin is no prompt', async () => {
    const where = surroundings();
    expect(await ask(where, [])).toMatchObject({
      code: 2,
      stderr: 'baton: the prompt is empty: write what is to be done\n',
    });
  });

  test('a bad BATON_TIMEOUT is named', async () => {
    const where = surroundings({ BATON_TIMEOUT: 'soon' });
    const { code, stderr } = await ask(where, [], 'x');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^baton: BATON_TIMEOUT "soon"/);
  });
});
