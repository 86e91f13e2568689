import { readMarkdown, type MarkdownBody } from './markdown-body.ts';
import type { FindingInFile } from './skill-finding.ts';

const MIN_CHARACTERS = 100;
const MAX_LINES = 500;
const SECTIONS = ['Key Concepts', 'Critical Rules'];

/** `base` is the skill about the whole repository; `none` is a file that is no skill. */
export type BodyKind = 'domain' | 'base' | 'none';

/** Looks at the text below the frontmatter. `isMissing`: whether a piece of code is a path that nothing lies at. */
export function validateBody(
  content: string,
  kind: BodyKind,
  isMissing: (code: string) => boolean,
): FindingInFile[] {
  const body = readMarkdown(content);
  return [
    ...truncation(body),
    ...unclosedTags(body),
    ...(kind === 'none' ? [] : sizeOf(body)),
    ...(kind === 'domain' ? missingSections(body) : []),
    ...missingPaths(body, isMissing),
  ];
}

function truncation({ openFence, last, text }: MarkdownBody): FindingInFile[] {
  const found = (line: number, message: string): FindingInFile[] => [
    { line, severity: 'error', rule: 'truncated', message },
  ];
  if (text.trim() === '' || !last)
    return [{ severity: 'error', rule: 'too-short', message: 'the file has no text' }];
  if (openFence !== null) return found(openFence, 'this code fence does not close: the rest may be missing');
  if (last.kind === 'heading')
    return found(last.line, 'the file ends with a heading: the rest may be missing');
  if (
    last.kind === 'text' &&
    /[,:;(]$|\[(?:truncated|continued|\.\.\.)\]$|\((?:truncated|continued)\)$/i.test(last.text.trimEnd())
  )
    return found(last.line, 'the file ends in the middle of a sentence: the rest may be missing');
  return [];
}

const TAG_LINE = /^ {0,3}<(\/?)([A-Za-z][\w-]*)(?:\s[^<>]*)?>\s*$/;
/** HTML that needs no closer. */
const VOID = new Set('br hr img input link meta p li area base col embed source track wbr'.split(' '));

/** Tags that stand alone in their lines, in pairs or not. Those within a line may be placeholders. */
function unclosedTags({ prose }: MarkdownBody): FindingInFile[] {
  const open: { tag: string; line: number }[] = [];
  const findings: FindingInFile[] = [];
  const say = (line: number, message: string): void =>
    void findings.push({ line, severity: 'error', rule: 'unclosed-tag', message });
  for (const { text, line } of prose) {
    const [, slash, tag = ''] = TAG_LINE.exec(text) ?? [];
    if (slash === undefined || VOID.has(tag.toLowerCase())) continue;
    if (slash === '') open.push({ tag, line });
    else if (open.at(-1)?.tag === tag) open.pop();
    else say(line, `\`</${tag}>\` closes nothing`);
  }
  for (const { tag, line } of open) say(line, `\`<${tag}>\` does not close`);
  return findings;
}

function sizeOf({ text }: MarkdownBody): FindingInFile[] {
  const lines = text.trimEnd().split('\n').length;
  if (lines >= MAX_LINES)
    return [
      {
        severity: 'warning',
        rule: 'too-long',
        message: `the body has ${lines} lines; under ${MAX_LINES} are advised: move parts to references/`,
      },
    ];
  const characters = text.trim().length;
  return characters > 0 && characters < MIN_CHARACTERS
    ? [
        {
          severity: 'error',
          rule: 'too-short',
          message: `the body has ${characters} characters: too little to be of use`,
        },
      ]
    : [];
}

function missingSections({ headings }: MarkdownBody): FindingInFile[] {
  const titles = new Set(headings.map(({ title }) => title.toLowerCase()));
  return SECTIONS.filter((section) => !titles.has(section.toLowerCase())).map((section) => ({
    severity: 'warning',
    rule: 'missing-section',
    message: `there is no section "${section}"`,
  }));
}

function missingPaths({ codes }: MarkdownBody, isMissing: (code: string) => boolean): FindingInFile[] {
  const said = new Set<string>();
  return codes.flatMap(({ value, line }) => {
    if (said.has(value) || !isMissing(value)) return [];
    said.add(value);
    const message = `${JSON.stringify(value)} does not exist`;
    return [{ line, severity: 'warning' as const, rule: 'missing-path' as const, message }];
  });
}
