import fc from 'fast-check';

/** JSON text of every look: what a person, a formatter or a program may have written. */
export interface Look {
  eol: string;
  lines: 'minified' | 'spaced' | 'indented' | 'wild';
  indent: string;
  bom: boolean;
  finalEol: boolean;
  /** Decides the odd white space of `wild`. */
  dice: number[];
}

/** A value as it is written: numbers and strings keep their spelling. */
type Written = { raw: string } | { list: Written[] } | { map: [key: string, value: Written][] };

const looks: fc.Arbitrary<Look> = fc.record({
  eol: fc.constantFrom('\n', '\r\n'),
  lines: fc.constantFrom('minified', 'spaced', 'indented', 'wild'),
  indent: fc.constantFrom('  ', '    ', '\t', '', '   '),
  bom: fc.boolean(),
  finalEol: fc.boolean(),
  dice: fc.array(fc.nat(6), { minLength: 5, maxLength: 20 }),
});

const raws = fc.constantFrom(
  '0',
  '-0.0',
  '12345678901234567890123',
  '1e400',
  '0.1000',
  '"\\u00e9\\ud83d"',
  '"é 😀"',
  '"\\/ // no comment"',
  '"a, b ] } {"',
  '""',
  'true',
  'null',
);

const values: fc.Arbitrary<Written> = fc.letrec<{ value: Written }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    raws.map((raw) => ({ raw })),
    fc.array(tie('value'), { maxLength: 3 }).map((list) => ({ list })),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom('a', 'hooks', 'b c', 'ключ', 'command'), tie('value')), {
        selector: ([key]) => key,
        maxLength: 3,
      })
      .map((map) => ({ map })),
  ),
})).value;

/** Commands that nothing of ours may touch. */
const FOREIGN = [
  'npx prettier --write .',
  'echo "the baton-hook:skill-activation hook"',
  'node other.cjs',
  '~/.claude/hooks/skill-activation-prompt.sh',
  'node "x.cjs" baton-hook',
];

/** Commands of ours as they were, or are. */
const OWN = [
  'node "/old place/baton-activation.cjs" baton-hook:skill-activation',
  'node "$CLAUDE_PROJECT_DIR/.claude/hooks/baton-activation.cjs" baton-hook:skill-activation || exit 0',
  'node "$CLAUDE_PROJECT_DIR/.claude/hooks/baton-activation.cjs" baton-hook:edit-tracker || exit 0',
  'node x.cjs baton-hook:gone',
  '$CLAUDE_PROJECT_DIR/.claude/hooks/skill-activation-prompt.sh',
];

function hooksOf(commands: readonly string[]): fc.Arbitrary<Written> {
  return fc
    .tuple(fc.constantFrom(...commands), fc.option(raws), fc.boolean())
    .map(([command, extra, first]) => {
      const own: [string, Written][] = [
        ['type', { raw: '"command"' }],
        ['command', { raw: JSON.stringify(command) }],
      ];
      const more: [string, Written][] = extra === null ? [] : [['timeout', { raw: extra }]];
      return { map: first ? [...more, ...own] : [...own, ...more] };
    });
}

function groupsOf(commands: readonly string[]): fc.Arbitrary<Written> {
  return fc
    .tuple(fc.option(fc.constantFrom('"Edit"', '"*"')), fc.array(hooksOf(commands), { maxLength: 3 }))
    .map(([matcher, list]) => ({
      map: [
        ...(matcher === null ? [] : [['matcher', { raw: matcher }] satisfies [string, Written]]),
        ['hooks', { list }],
      ],
    }));
}

function eventsOf(commands: readonly string[]): fc.Arbitrary<Written> {
  return fc
    .uniqueArray(
      fc.tuple(
        fc.constantFrom('UserPromptSubmit', 'PostToolUse', 'Stop', 'NeverHeardOf'),
        fc.array(groupsOf(commands), { maxLength: 3 }).map((list) => ({ list })),
      ),
      { selector: ([key]) => key, maxLength: 4 },
    )
    .map((map) => ({ map }));
}

/** Settings of somebody else: nothing in them is ours. */
export const foreignSettings = settingsOf(FOREIGN);

/** Settings in which ours stand among others, as often as it may happen. */
export const mixedSettings = settingsOf([...FOREIGN, ...OWN, ...OWN]);

export function isForeign(command: string): boolean {
  return FOREIGN.includes(command);
}

function settingsOf(commands: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.uniqueArray(
        fc.oneof(
          fc.tuple(fc.constantFrom('permissions', 'env', 'x', 'disableAllHooks', '\\u0068oax'), values),
          fc.tuple(fc.constant('hooks'), eventsOf(commands)),
        ),
        { selector: ([key]) => key, maxLength: 5 },
      ),
      looks,
    )
    .map(([map, look]) => textOf({ map }, look));
}

function textOf(value: Written, look: Look): string {
  const end = look.finalEol ? look.eol : '';
  return `${look.bom ? '\ufeff' : ''}${write(value, look, '')}${end}`;
}

function write(value: Written, look: Look, outer: string): string {
  if ('raw' in value) return value.raw;
  const [open, close] = 'list' in value ? ['[', ']'] : ['{', '}'];
  const inner = look.lines === 'indented' ? outer + look.indent : outer;
  const children =
    'list' in value
      ? value.list.map((one) => write(one, look, inner))
      : value.map.map(
          ([key, one]) =>
            `"${key}"${look.lines === 'wild' ? odd(look) : ''}:${look.lines === 'minified' ? '' : ' '}${write(one, look, inner)}`,
        );
  if (look.lines === 'wild')
    return `${open}${odd(look)}${children.map((child) => child + odd(look)).join(`,${odd(look)}`)}${close}`;
  if (children.length === 0) return `${open}${close}`;
  if (look.lines !== 'indented')
    return `${open}${children.join(look.lines === 'spaced' ? ', ' : ',')}${close}`;
  const line = look.eol + inner;
  return `${open}${line}${children.join(`,${line}`)}${look.eol}${outer}${close}`;
}

function odd({ dice, eol }: Look): string {
  const thrown = dice.shift() ?? 0;
  dice.push(thrown);
  return ['', '', ' ', '\t', eol, `${eol}   `, ` ${eol}${eol}\t`][thrown] ?? '';
}
