import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collectCodexText, normalizeCodexItemType } from '../../../src/index.ts';

describe('the type of an item', () => {
  test.each([
    ['agent_message', 'agent_message'],
    ['AgentMessage', 'agent_message'],
    ['agentMessage', 'agent_message'],
    ['agent-message', 'agent_message'],
    ['Agent Message', 'agent_message'],
    ['MCPToolCall', 'mcp_tool_call'],
    ['mcp_tool_call', 'mcp_tool_call'],
    ['WebSearch', 'web_search'],
    ['TodoList', 'todo_list'],
    ['COMMAND_EXECUTION', 'command_execution'],
  ])('%s is %s', (spelling, type) => {
    expect(normalizeCodexItemType(spelling)).toBe(type);
  });

  test('is the same for every spelling of the same words', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{2,8}$/), { minLength: 1, maxLength: 4 });
    const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
    fc.assert(
      fc.property(words, (parts) => {
        const pascal = parts.map(capital).join('');
        const spellings = [
          parts.join('_'),
          parts.join('-'),
          parts.join('.'),
          pascal,
          parts.join('_').toUpperCase(),
        ];
        expect(new Set(spellings.map(normalizeCodexItemType))).toEqual(new Set([parts.join('_')]));
      }),
    );
  });
});

describe('the text of an item', () => {
  test.each<[unknown, string]>([
    ['a', 'a'],
    [['a', ['b', { text: 'c' }]], 'abc'],
    [{ text: 'a' }, 'a'],
    [{ content: 'a' }, 'a'],
    [{ content: [{ type: 'output_text', text: 'a' }, { content: [{ text: 'b' }] }] }, 'ab'],
    [{ text: { content: ['a'] } }, 'a'],
    [{ text: '', content: 'a' }, 'a'],
    [{ text: null, message: 'a' }, 'a'],
    [null, ''],
    [7, ''],
    [{ other: 'a' }, ''],
  ])('of %j is %j', (value, text) => {
    expect(collectCodexText(value)).toBe(text);
  });

  test('is found at any depth', () => {
    let value: unknown = 'deep';
    for (let depth = 0; depth < 200_000; depth += 1) value = depth % 2 === 0 ? [value] : { content: value };
    expect(collectCodexText(value)).toBe('deep');
  });

  test('of anything is a text', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(collectCodexText(value)).toBeTypeOf('string');
      }),
    );
  });
});
