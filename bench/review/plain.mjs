// What plain reading of the diff gives: patterns over added and removed lines, as most such tools do it.

const ADDED = [
  [
    'test-skipped',
    /\b(?:it|test|describe)\.(?:skip|todo|skipIf)\b|\bx(?:it|describe|test)\s*\(|\bskip\b.*:|@(?:pytest\.mark|unittest)\.skip|\.skip\s*\(|pytestmark/,
  ],
  ['test-focused', /\b(?:it|test|describe)\.only\b|\bf(?:it|describe)\s*\(/],
  ['test-disabled', /^\s*(?:\/\/|#|\*)\s*(?:it|test|def test)|xfail|\.fails\(/],
  [
    'suppression-added',
    /@ts-(?:ignore|expect-error|nocheck)|eslint-disable|biome-ignore|(?:istanbul|c8|v8) ignore|#\s*noqa|type:\s*ignore|pylint:\s*disable|pragma: no cover|\bas any\b|:\s*any\b|as unknown as|:\s*Any\b/,
  ],
  [
    'error-swallowed',
    /catch\s*(?:\(\w*\))?\s*\{\s*\}|\.catch\(\(\)\s*=>\s*\{\s*\}\)|except(?:\s+Exception)?\s*:|suppress\(Exception/,
  ],
  ['debug-leftover', /console\.(?:log|debug)|\bdebugger\b|\bprint\(|breakpoint\(\)|set_trace/],
  [
    'assertion-loosened',
    /toBe(?:Truthy|Defined)\(\)|not\.toBeNull|expect\.any|toThrow\(\)|assert\.ok\(|assertTrue\(|raises\(Exception\)|is not None/,
  ],
  ['secret', /AKIA[0-9A-Z]{16}|ghp_\w{36}|BEGIN \w* ?PRIVATE KEY/],
];
const REMOVED = [
  ['test-deleted', /^\s*(?:it|test|describe)(?:\.\w+)*\s*\(|^\s*(?:async )?def test/],
  ['assertion-removed', /\bexpect\s*\(|\bassert\b|self\.assert|\bt\.(?:is|equal|same)\b|\braises\(/],
];

export function plainFindings(files) {
  return files.flatMap(({ patch }) =>
    patch.hunks
      .flatMap((hunk) => hunk.lines)
      .flatMap(({ mark, text }) =>
        (mark === '+' ? ADDED : mark === '-' ? REMOVED : [])
          .filter(([, form]) => form.test(text))
          .map(([kind]) => ({ kind, file: patch.path, text: text.trim() })),
      ),
  );
}
