import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeSettings, type SettingsTemplate } from '../../src/skills/merge-settings.ts';
import { unmergeSettings } from '../../src/skills/unmerge-settings.ts';
import { foreignSettings, isForeign, mixedSettings } from './random-settings.ts';

const RUNS = { numRuns: Number(process.env['BATON_PROPERTY_RUNS'] ?? 300) };
const markers = { folder: '.claude/hooks', root: '/home/me/project' };

function command(name: string): string {
  return `node "$CLAUDE_PROJECT_DIR/.claude/hooks/baton-activation.cjs" baton-hook:${name} || exit 0`;
}

const prompt: SettingsTemplate['hooks'] = {
  UserPromptSubmit: [{ hooks: [{ type: 'command', command: command('skill-activation'), timeout: 5 }] }],
};
const edit: SettingsTemplate['hooks'] = {
  PostToolUse: [{ matcher: 'Edit', hooks: [{ type: 'command', command: command('edit-tracker') }] }],
};
const templates = fc.constantFrom<SettingsTemplate>(
  { hooks: prompt },
  { hooks: edit },
  { hooks: { ...prompt, ...edit } },
);

test('one hook is one span: the text before and after it is the whole original', () => {
  fc.assert(
    fc.property(foreignSettings, fc.constantFrom(prompt, edit), (text, hooks) => {
      const merged = mergeSettings(text, { hooks }, { markers });
      expect(isOneSpan(text, merged)).toBe(true);
      expect(ownCommands(merged)).toEqual(
        Object.values(hooks)
          .flat()
          .flatMap((group) => group.hooks),
      );
    }),
    RUNS,
  );
});

test('an old command of ours is brought up to date where it stands', () => {
  fc.assert(
    fc.property(foreignSettings, templates, (text, template) => {
      const old = JSON.parse(JSON.stringify(template).replaceAll('$CLAUDE_PROJECT_DIR', '/old place'));
      const before = mergeSettings(text, old, { markers });
      const after = mergeSettings(before, template, { markers });
      expect(after).toBe(before.replaceAll('/old place', '$CLAUDE_PROJECT_DIR'));
      expect(after).toBe(mergeSettings(text, template, { markers }));
    }),
    RUNS,
  );
});

test('merging again changes nothing', () => {
  fc.assert(
    fc.property(foreignSettings, templates, (text, template) => {
      const once = mergeSettings(text, template, { markers });
      expect(mergeSettings(once, template, { markers })).toBe(once);
    }),
    RUNS,
  );
});

test('among others ours stand once, and the others where and in the order in which they stood', () => {
  fc.assert(
    fc.property(mixedSettings, templates, (text, template) => {
      const merged = mergeSettings(text, template, { markers });
      expect(othersIn(merged)).toEqual(othersIn(text));
      const own = commandsIn(merged).filter(({ command }) => !isForeign(command));
      const wanted = commandsIn(JSON.stringify(template));
      expect(own.map(nameOf).sort()).toEqual(wanted.map(nameOf).sort());
      expect(mergeSettings(merged, template, { markers })).toBe(merged);
      const without = unmergeSettings(merged, { markers });
      expect(othersIn(without)).toEqual(othersIn(text));
      expect(commandsIn(without).filter(({ command }) => !isForeign(command))).toEqual([]);
    }),
    RUNS,
  );
});

test('taking ours out again gives the original bytes', () => {
  fc.assert(
    fc.property(foreignSettings, templates, (text, template) => {
      const merged = mergeSettings(text, template, { markers });
      expect(unmergeSettings(merged, { markers, original: text })).toBe(text);
    }),
    RUNS,
  );
});

test('what was changed since stays, when ours are taken out', () => {
  fc.assert(
    fc.property(foreignSettings, templates, fc.boolean(), (text, template, atEnd) => {
      const merged = mergeSettings(text, template, { markers });
      const change = (one: string) => (atEnd ? `${one}\n\n` : one.replace('{', '{ "since": [1.0],'));
      const changed = change(merged);
      if (!isJson(changed) || !isJson(change(text))) return;
      expect(unmergeSettings(changed, { markers, original: text })).toBe(change(text));
    }),
    RUNS,
  );
});

test('of somebody else’s settings nothing is taken out', () => {
  fc.assert(
    fc.property(foreignSettings, (text) => {
      expect(unmergeSettings(text, { markers })).toBe(text);
    }),
    RUNS,
  );
});

/** Whether `longer` is `text` with one span put in. */
function isOneSpan(text: string, longer: string): boolean {
  let same = 0;
  while (same < text.length && text[same] === longer[same]) same += 1;
  return longer.length > text.length && longer.endsWith(text.slice(same));
}

function ownCommands(text: string): unknown[] {
  const hooks: unknown[] = [];
  JSON.parse(text.replace(/^\ufeff/, ''), (_, value: unknown) => {
    if (isOwn(value)) hooks.push(value);
    return value;
  });
  return hooks;
}

interface Standing {
  event: string;
  matcher: unknown;
  command: string;
  timeout: unknown;
}

/** Every hook with all that a program reads of it, in the order of the text. */
function commandsIn(text: string): Standing[] {
  const { hooks = {} } = JSON.parse(text.replace(/^\ufeff/, ''));
  return Object.keys(hooks).flatMap((event) =>
    hooks[event].flatMap((group: { matcher?: unknown; hooks: Standing[] }) =>
      group.hooks.map(({ command, timeout }) => ({ event, matcher: group.matcher, command, timeout })),
    ),
  );
}

function nameOf({ event, command }: Standing): string {
  return `${event} ${command}`;
}

function othersIn(text: string): Standing[] {
  return commandsIn(text).filter(({ command }) => isForeign(command));
}

function isOwn(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'command' in value &&
    typeof value.command === 'string' &&
    value.command.includes('baton-activation.cjs')
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\ufeff/, ''));
    return true;
  } catch {
    return false;
  }
}
