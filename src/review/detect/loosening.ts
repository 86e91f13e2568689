import type { Assertion } from '../test-case.ts';

/** How much a matcher pins down: 4 one value exactly, 3 a part or a form of it, 2 a range or a class, 1 hardly anything. */
const STRENGTHS: readonly [RegExp, number][] = [
  [
    /^(?:toBe|toEqual|toStrictEqual|toHaveLength|toBeNull|toBeUndefined|toBeNaN|toThrowErrorMatching\w*|toMatch(?:Inline|File)?Snapshot)$/,
    4,
  ],
  [
    /^(?:equals?|strictEqual|deepEqual|deepStrictEqual|deepEquals|is|same|strictSame|eql?|eqls|lengthOf|sameMembers|sameDeepMembers|isNull|isUndefined|isTrue|isFalse)$/,
    4,
  ],
  [
    /^(?:toHaveBeenCalled(?:Times|With|OnceWith|Once)|toHaveBeen(?:Last|Nth)CalledWith|toHave(?:Last|Nth)?ReturnedWith|calledWith|calledOnceWith\w*)$/,
    4,
  ],
  [
    /^assert (?:==|is)$|^assert(?:Equal|Equals|Is|ListEqual|DictEqual|TupleEqual|SetEqual|SequenceEqual|MultiLineEqual|CountEqual|IsNone)$/,
    4,
  ],
  [
    /^(?:toMatch|toContain|toContainEqual|toMatchObject|toHaveProperty|toBeCloseTo|include|includes|match|matches|like|has|hasStrict|property|closeTo|approximately|contains?|partialDeepStrictEqual)$/,
    3,
  ],
  [/^assert in$|^assert(?:In|Regex|RegexpMatches|AlmostEqual|AlmostEquals|DictContainsSubset)$/, 3],
  [
    /^(?:toBe(?:Greater|Less)Than(?:OrEqual)?|toBeInstanceOf|toBeTypeOf|instanceOf|isAbove|isBelow|isAtLeast|isAtMost|above|below|least|most|within)$/,
    2,
  ],
  [/^assert order$|^assert(?:Greater|Less)(?:Equal)?$|^assert(?:IsInstance)$/, 2],
  [
    /^(?:toBeTruthy|toBeDefined|toBeFalsy|toHaveBeenCalled|toHaveReturned|ok|truthy|falsy|notOk|exists?|exist|isOk|isDefined|notNull|assert|isNotNull|called|not\.toBeNull|not\.toBeUndefined|not\.toBe|not\.toEqual|not\.toBeNaN|notEqual|notStrictEqual|notDeepEqual|not|pass)$/,
    1,
  ],
  [/^assert (?:is not None|is not|!=|not in)$|^assert(?:True|False|IsNotNone|NotEqual|NotIn|IsNot)$/, 1],
];

function strengthOf({ matcher, args }: Assertion): number | null {
  // `toBe(true)` of a comparison is what it compares; of anything else it is exact.
  const known = STRENGTHS.find(([form]) => form.test(matcher))?.[1] ?? null;
  return known === 4 &&
    /^(?:assert ==|assertEqual)$/.test(matcher) &&
    args.some((arg) => /\bapprox\(/.test(arg))
    ? 3
    : known;
}

/** Why the second assertion, about the same thing, demands less than the first; null where it does not. */
export function looseningOf(before: Assertion, after: Assertion): string | null {
  const [was, now] = [strengthOf(before), strengthOf(after)];
  const subjectIsCondition = /[^!=<>]==|\.(?:includes|test|startsWith|endsWith|every|has)\(/.test(
    after.subject,
  );
  if (was !== null && now !== null && now < was) {
    // `t.ok(a === b)` and `ok(isDeepStrictEqual(a, b))` may say as much as an equality.
    const takesBoth =
      before.args.length > 0 && after.subject.includes([before.subject, ...before.args].join(', '));
    if (now === 1 && (subjectIsCondition || takesBoth)) return null;
    return `${before.matcher} became ${after.matcher}, which demands less`;
  }
  return (
    lessStrict(before, after) ??
    broaderError(before, after) ??
    widerTolerance(before, after) ??
    vaguerValue(before, after)
  );
}

function lessStrict(before: Assertion, after: Assertion): string | null {
  const pairs: readonly (readonly [string, string])[] = [
    ['toStrictEqual', 'toEqual'],
    ['deepStrictEqual', 'deepEqual'],
    ['strictEqual', 'equal'],
    ['strictSame', 'same'],
    ['toHaveBeenCalledTimes', 'toHaveBeenCalledWith'],
  ];
  const found = pairs.some(([strict, loose]) => before.matcher === strict && after.matcher === loose);
  return found ? `${before.matcher} became ${after.matcher}, which demands less` : null;
}

const ERROR_MATCHER =
  /^(?:toThrow|toThrowError|throws|rejects|throwsAsync|throw|rejectedWith|raises|assertRaises(?:Regex)?)$/;

function broaderError(before: Assertion, after: Assertion): string | null {
  if (!ERROR_MATCHER.test(before.matcher) || !ERROR_MATCHER.test(after.matcher)) return null;
  const [was, now] = [before.args, after.args];
  if (now.length < was.length) return 'less is expected of the error';
  const BROAD = /^(?:Error|Exception|BaseException|expect\.any\(Error\)|\/\.[*+]\/[a-z]*|['"]{2}|\{\})$/;
  const broader = now.some((arg, at) => was[at] !== arg && BROAD.test(arg) && !BROAD.test(was[at] ?? ''));
  return broader ? `a broader error is expected: ${now.join(', ')}` : null;
}

function widerTolerance(before: Assertion, after: Assertion): string | null {
  if (before.matcher !== after.matcher) return null;
  const digits = /^(?:toBeCloseTo|assertAlmostEquals?)$/.test(before.matcher);
  const [was, now] = [before.args[1], after.args[1]];
  if (digits) {
    const [wasDigits, nowDigits] = [
      numberIn(was) ?? (before.matcher === 'toBeCloseTo' ? 2 : 7),
      numberIn(now) ?? (after.matcher === 'toBeCloseTo' ? 2 : 7),
    ];
    const isDelta = /delta/.test(now ?? '');
    return !isDelta && nowDigits < wasDigits
      ? `the tolerance is wider: ${nowDigits} digits instead of ${wasDigits}`
      : null;
  }
  const tolerance = /\b(?:rel|abs|delta|atol|rtol|tolerance|epsilon|eps)\s*[=:]\s*([\d.e+-]+)/;
  const [a, b] = [tolerance.exec(before.text)?.[1], tolerance.exec(after.text)?.[1]];
  if (a !== undefined && b !== undefined && Number(b) > Number(a))
    return `the tolerance is wider: ${b} instead of ${a}`;
  if (/^(?:closeTo|approximately)$/.test(before.matcher)) {
    const [x, y] = [numberIn(was), numberIn(now)];
    return x !== null && y !== null && y > x ? `the tolerance is wider: ${y} instead of ${x}` : null;
  }
  return movedBound(before, after);
}

/** `toBeLessThan(100)` to `toBeLessThan(1000)`. */
function movedBound(before: Assertion, after: Assertion): string | null {
  const up = /^(?:toBeLessThan(?:OrEqual)?|isBelow|isAtMost|below|most|assertLess(?:Equal)?)$/.test(
    before.matcher,
  );
  const down = /^(?:toBeGreaterThan(?:OrEqual)?|isAbove|isAtLeast|above|least|assertGreater(?:Equal)?)$/.test(
    before.matcher,
  );
  const [was, now] = [numberIn(before.args[0]), numberIn(after.args[0])];
  if (was === null || now === null) return null;
  return (up && now > was) || (down && now < was) ? `the bound is wider: ${now} instead of ${was}` : null;
}

const VAGUE =
  /\bexpect\.(?:anything|any|stringContaining|objectContaining|arrayContaining|stringMatching)\(|\b(?:mock\.)?ANY\b|\bapprox\(/g;

function vaguerValue(before: Assertion, after: Assertion): string | null {
  if (before.subject !== after.subject) return null;
  const [was, now] = [before.text.match(VAGUE) ?? [], after.text.match(VAGUE) ?? []];
  return now.length > was.length ? `an exact value became ${now.at(-1)?.replace(/\($/, '()') ?? ''}` : null;
}

function numberIn(text: string | undefined): number | null {
  const match = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/i.exec((text ?? '').replace(/(?<=\d)_(?=\d)/g, ''));
  return match ? Number(match[0]) : null;
}
