import { describe, expect, test } from 'vitest';
import { JsonRefused } from '../../src/skills/json-text.ts';
import { type MergeOptions, mergeSettings, type SettingsTemplate } from '../../src/skills/merge-settings.ts';
import { unmergeSettings } from '../../src/skills/unmerge-settings.ts';

const options: MergeOptions = { markers: { folder: '.claude/hooks', root: '/home/me/a project' } };
const OURS =
  'node "$CLAUDE_PROJECT_DIR/.claude/hooks/baton-activation.cjs" baton-hook:skill-activation || exit 0';
const template: SettingsTemplate = {
  hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: OURS, timeout: 5 }] }] },
};

describe('where it goes', () => {
  test('there is no file: a new one', () => {
    expect(merged(null)).toBe(`${JSON.stringify(template, null, 2)}\n`);
  });

  test.each([
    [
      'an indented file',
      '{\n\t"model": "x"\n}\n',
      `{\n\t"model": "x",\n\t"hooks": ${JSON.stringify(template.hooks, null, '\t').replaceAll('\n', '\n\t')}\n}\n`,
    ],
    ['a minified file', '{"model":"x"}', `{"model":"x","hooks":${JSON.stringify(template.hooks)}}`],
    [
      'an empty object',
      '{}\n',
      `{\n  "hooks": ${JSON.stringify(template.hooks, null, 2).replaceAll('\n', '\n  ')}\n}\n`,
    ],
    [
      'a file with a mark and Windows line ends',
      '\ufeff{\r\n  "model": "x"\r\n}\r\n',
      `\ufeff{\r\n  "model": "x",\r\n  "hooks": ${JSON.stringify(template.hooks, null, 2).replaceAll('\n', '\r\n  ')}\r\n}\r\n`,
    ],
  ])('%s keeps its look', (_, text, expected) => {
    expect(merged(text)).toBe(expected);
  });

  test('after the groups that others have on the event', () => {
    const text = '{"hooks": {"UserPromptSubmit": [{"hooks": []}], "Stop": []}}';
    expect(JSON.parse(merged(text)).hooks).toEqual({
      UserPromptSubmit: [{ hooks: [] }, ...(template.hooks['UserPromptSubmit'] ?? [])],
      Stop: [],
    });
  });
});

describe('once', () => {
  test('also after three times, with another command and with an old hook without a marker', () => {
    const old = [
      'node /elsewhere/baton-activation.cjs baton-hook:skill-activation',
      '$CLAUDE_PROJECT_DIR/.claude/hooks/skill-activation-prompt.sh',
      OURS,
    ];
    const text = JSON.stringify({
      hooks: { UserPromptSubmit: old.map((command) => ({ hooks: [{ type: 'command', command }] })) },
    });
    const once = merged(text);
    expect(merged(merged(once))).toBe(once);
    expect(JSON.parse(once)).toEqual({
      hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: OURS }] }] },
    });
  });

  test('with the matcher and the timeout that the user gave it', () => {
    const own = { matcher: 'x', hooks: [{ timeout: 60, command: OURS, type: 'command', note: 1.0 }] };
    const text = JSON.stringify({ hooks: { UserPromptSubmit: [own] } }, null, 1);
    expect(mergeSettings(text, template, options)).toBe(text);
  });

  test('an old one takes no other hook of its group with it', () => {
    const theirs = { type: 'command', command: 'true' };
    const text = JSON.stringify({
      hooks: {
        PreCompact: [
          { hooks: [theirs, { type: 'command', command: '.claude/hooks/save-tokens-precompact.mjs' }] },
        ],
        Stop: [{ hooks: [{ type: 'command', command: 'node x.cjs baton-hook:gone' }] }],
      },
    });
    expect(JSON.parse(merged(text)).hooks).toEqual({
      PreCompact: [{ hooks: [theirs] }],
      ...template.hooks,
    });
  });
});

describe('ours are known by the marker, or by an old name in this project’s own folder', () => {
  const places = [
    'node "$CLAUDE_PROJECT_DIR/.claude/hooks/baton-activation.cjs" baton-hook:skill-activation || exit 0',
    "FOO=1 /usr/bin/node '/a b/c.cjs' baton-hook:skill-activation",
    '"$CLAUDE_PROJECT_DIR"/.claude/hooks/skill-activation-prompt.sh',
    '"${CLAUDE_PROJECT_DIR}/.claude/hooks/post-tool-use-tracker.sh"',
    'npx tsx .claude/hooks/graph-context-prompt.ts',
    "bash '/home/me/a project/.claude/hooks/save-tokens-prompt-guard.sh' --x",
    'cd $CLAUDE_PROJECT_DIR/.claude/hooks && cat | npx tsx skill-activation-prompt.ts',
  ];
  const theirs = [
    'echo "see the baton-hook:skill-activation hook"',
    'node x.cjs baton-hook:',
    'node x.cjs xbaton-hook:skill-activation',
    '~/.claude/hooks/skill-activation-prompt.sh',
    '/home/you/.claude/hooks/skill-activation-prompt.sh',
    '$HOME/.claude/hooks/skill-activation-prompt.sh',
    './my/.claude/hooks/skill-activation-prompt.sh',
    '.claude/hooks/my-skill-activation-prompt.sh',
    '.claude/hooks/skill-activation-prompter.sh',
    'scripts/skill-activation-prompt.sh',
  ];
  const settings = (command: string) =>
    JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] }, x: 1 });

  test.each(places)('ours: %s', (command) => {
    expect(JSON.parse(unmergeSettings(settings(command), options))).toEqual({ x: 1 });
  });

  test.each(theirs)('not ours: %s', (command) => {
    expect(unmergeSettings(settings(command), options)).toBe(settings(command));
  });
});

describe('the status line', () => {
  const line = { type: 'command' as const, command: 'node a.cjs baton-hook:line' };
  const withLine = { ...template, statusLine: line };

  test.each([
    ['none', {}, line],
    ['ours', { statusLine: { type: 'command', command: '.claude/hooks/save-tokens-statusline.mjs' } }, line],
    ['another', { statusLine: { type: 'command', command: 'x' } }, { type: 'command', command: 'x' }],
  ])('%s', (_, settings, expected) => {
    const once = mergeSettings(JSON.stringify(settings), withLine, options);
    expect(JSON.parse(once).statusLine).toEqual(expected);
    expect(mergeSettings(once, withLine, options)).toBe(once);
  });
});

describe('refused, with the line', () => {
  test.each([
    ['a comment', '{\n  // c\n}', 'comment', 2],
    ['a block comment', '{}\n\n/* c */', 'comment', 3],
    ['a trailing comma', '{\n  "a": 1,\n}', 'trailing-comma', 3],
    ['a trailing comma in a list', '[1,\n]', 'trailing-comma', 2],
    ['a file that ends too early', '{\n  "a": {', 'not-json', 2],
    ['single quotes', "\ufeff{\r\n'a': 1}", 'not-json', 2],
    ['nothing', ' \n', 'empty', 1],
    ['no object', '\n[]', 'wrong-shape', 2],
    ['null', 'null', 'wrong-shape', 1],
    ['hooks twice', '{"hooks": {},\n"\\u0068ooks": {}}', 'duplicate-key', 2],
    ['the event twice', '{"hooks": {"UserPromptSubmit": [],\n"UserPromptSubmit": []}}', 'duplicate-key', 2],
    ['hooks that are a list', '{"a": 1,\n"hooks": []}', 'wrong-shape', 2],
    ['hooks that are null', '{"hooks": null}', 'wrong-shape', 1],
    ['an event that is an object', '{"hooks":\n{"UserPromptSubmit": {}}}', 'wrong-shape', 2],
    ['a group that is a text', '{"hooks": {"UserPromptSubmit": [\n"x"]}}', 'wrong-shape', 2],
    [
      'a group with one hook and no list',
      '{"hooks": {"UserPromptSubmit": [{\n"hooks": {}}]}}',
      'wrong-shape',
      2,
    ],
    [
      'a command twice',
      `{"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "a",\n"command": "b"}]}]}}`,
      'duplicate-key',
      2,
    ],
  ])('%s', (_, text, code, line) => {
    const refused = refusalOf(text);
    expect(refused.refusal).toMatchObject({ code, line });
    expect(refused.message).toContain(`line ${line}: `);
  });

  test('a tree that is too deep to be walked', () => {
    const text = `{"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(refusalOf(text).refusal.code).toBe('not-json');
  });

  test('a key of the root that codex would refuse the file for', () => {
    const strict = { ...options, rootKeys: ['description', 'hooks'] };
    const text = '{"description": "d",\n"x": 1}';
    expect(refusalOf(text, strict).refusal).toMatchObject({ code: 'unknown-key', line: 2 });
  });

  test('but not what lies off our path', () => {
    const text = '{"x": {"a": 1, "a": 2}, "hooks": {"Stop": 7}}';
    expect(JSON.parse(merged(text))).toMatchObject({ x: { a: 2 }, hooks: { Stop: 7 } });
  });
});

test('a template whose commands could not be found again is a mistake', () => {
  const bare = { hooks: { Stop: [{ hooks: [{ type: 'command' as const, command: 'true' }] }] } };
  expect(() => mergeSettings('{}', bare, options)).toThrow(TypeError);
});

test('numbers and escapes that JavaScript would spell differently stay', () => {
  const text = '{"n": 12345678901234567890, "e": 1E400, "s": "\\u00e9\\/", "z": -0.0}';
  expect(merged(text)).toContain(text.slice(0, -1));
});

function merged(text: string | null): string {
  return mergeSettings(text, template, options);
}

function refusalOf(text: string, how: MergeOptions = options): JsonRefused {
  try {
    mergeSettings(text, template, how);
  } catch (error) {
    if (error instanceof JsonRefused) return error;
    throw error;
  }
  throw new Error('it was not refused');
}
