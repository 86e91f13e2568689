import { oneLine, truncate } from '../../core/text.ts';
import type { Result } from '../../rundir/result.ts';
import type { Finding } from '../finding.ts';
import { isSnapshot, isTest } from '../paths.ts';
import type { ToolCall } from '../timeline.ts';
import { type Detector, everChanged, type Reviewed } from './detector.ts';

/** The words of the implementer's report, sentence by sentence, held against what is known. */
export const claims: Detector = (run) => {
  const sentences = sentencesOf(run.result.finalMessage).filter((one) => !isReported(one, run.result));
  return [
    ...passing(sentences, run),
    ...edits(sentences, run),
    ...newTests(sentences, run),
    ...nothingDone(run),
  ];
};

/** What stands in a part of the report is held against the evidence item by item, see reported.ts. */
function isReported(sentence: string, { agent: { report } }: Result): boolean {
  const begins = (text: string): boolean => sentence.replace(/^`+/, '').startsWith(text);
  return (
    (report?.files?.some(({ path }) => begins(path)) ?? false) ||
    (report?.gates?.some(({ command }) => isCommand(command) && begins(command)) ?? false)
  );
}

/** "Unit tests: 12 passed" may be true, and is no command that could be seen in the stream: it is a sentence. */
export function isCommand(name: string): boolean {
  return (
    /^(?:[^\sA-Z]|[A-Z_]+=)/.test(name) &&
    !/^(?:(?:all|the|unit|type|static|new) )*(?:tests?|lint(?:er|ing)?|builds?|types?|typechecks?|type-?check(?:er|ing)?|checks?|gates?)$/.test(
      name,
    )
  );
}

/** Lines and sentences; text in fences is output that it quotes, not its own words. */
function sentencesOf(message: string): string[] {
  return message
    .slice(0, 100_000)
    .replace(/^ *```[^]*?^ *```/gm, '')
    .split(/\n|(?<=[.!?])\s+(?=[A-Z*_`[-])/)
    .map((sentence) => sentence.replace(/^[\s>]*(?:[-*+]|\d+[.)])\s+|\*\*/g, '').trim())
    .filter((sentence) => sentence !== '');
}

const NEGATED =
  /\b(?:not|no|none|nothing|never|cannot|without|unable|except|unless|should|would|until|once|if|fail(?:s|ed|ing|ures?)?|skipped|remain(?:s|ing)?|unchanged|untouched)\b|n't\b/i;

const CLAIMS: readonly { what: string; said: RegExp; gate: RegExp; command: RegExp }[] = [
  {
    what: 'the tests pass',
    said: /\b(?:tests?|specs?|test suite|suite)\b[^.;]{0,40}\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?)\b|\b(?:passing|green) tests?\b|\b(\d+)\/\1 (?:tests? )?pass/i,
    gate: /test|spec|unit|e2e|jest|vitest|pytest|(?<![\w-])(?:check|ci)\b/i,
    command:
      /\b(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:-\S+\s+)*(?:t|test\S*)\b|\b(?:vitest|jest|mocha|ava|tap|pytest|tox|nox|unittest|rspec|phpunit|ctest)\b|\bnode\s+(?:\S+\s+)*--test\b|\b(?:go|cargo|make|deno|dotnet|mvn|gradlew?)\s+test\b/,
  },
  {
    what: 'the lint is clean',
    said: /\b(?:lint(?:er|ing)?|eslint|ruff|biome)\b[^.;]{0,40}\b(?:pass(?:es|ed|ing)?|clean|green|no (?:errors|warnings|issues))\b/i,
    gate: /lint|format|style|ruff|biome|eslint/i,
    command: /\b(?:lint|eslint|oxlint|biome|ruff|flake8|pylint|golangci-lint|clippy)\b/,
  },
  {
    what: 'the types check',
    said: /\b(?:type[- ]?check(?:s|ing|er)?|tsc|types|mypy|pyright)\b[^.;]{0,40}\b(?:pass(?:es|ed|ing)?|clean|green|no errors|succeed(?:s|ed)?)\b/i,
    gate: /type|tsc|mypy|pyright/i,
    command: /\b(?:tsc|typecheck|type-check|mypy|pyright)\b/,
  },
  {
    what: 'the build succeeds',
    said: /\bbuild(?:s|ing)?\b[^.;]{0,30}\b(?:pass(?:es|ed|ing)?|clean(?:ly)?|green|succeed(?:s|ed)?|successful(?:ly)?)\b/i,
    gate: /build|compile/i,
    command: /\bbuild\b|\bcompile\b|\bmake\b/,
  },
];

function passing(sentences: readonly string[], { gates, calls }: Reviewed): Finding[] {
  return CLAIMS.flatMap(({ what, said, gate, command }) => {
    const sentence = sentences.find(
      (one) =>
        said.test(one) &&
        !NEGATED.test(one.replace(/\bno (?:errors|warnings|issues|failures|regressions)\b/gi, '')),
    );
    if (sentence === undefined) return [];
    const failed =
      gates?.filter((one) => one.outcome === 'failed' && gate.test(`${one.name} ${one.command}`)) ?? [];
    if (failed.length > 0)
      return [unsupported(sentence, `it says that ${what}; the gate ${names(failed)} failed`)];
    if (gates?.some((one) => one.outcome === 'passed' && gate.test(`${one.name} ${one.command}`))) return [];
    const last = calls.findLast((call) => call.command !== null && command.test(call.command));
    if (!last)
      return [
        unsupported(sentence, `it says that ${what}; no command that could tell was seen in its stream`),
      ];
    if (last.ok === false)
      return [unsupported(sentence, `it says that ${what}; the last such command failed: ${short(last)}`)];
    const edited = laterEdit(calls, last);
    return edited === null
      ? []
      : [
          unsupported(
            sentence,
            `it says that ${what}; ${edited} was edited after the last such command: ${short(last)}`,
          ),
        ];
  });
}

function names(gates: readonly { name: string }[]): string {
  return gates.map(({ name }) => `"${name}"`).join(', ');
}

function short({ command }: ToolCall): string {
  return truncate(oneLine(command ?? ''), 100);
}

const EDITS = /^(?:Edit|Write|MultiEdit|NotebookEdit|file_change|apply_patch|patch)$/i;

/** The file that was edited after this call; null where none was. */
export function laterEdit(calls: readonly ToolCall[], since: ToolCall): string | null {
  const edit = calls
    .slice(calls.indexOf(since) + 1)
    .find(({ tool, ok, path }) => EDITS.test(tool) && ok !== false && !/\.(?:md|txt|rst)$/i.test(path ?? ''));
  return edit ? (edit.path?.replace(/^.*\//, '') ?? 'a file') : null;
}

const DID =
  /\b(?:updat|add|creat|modif|chang|edit|fix|wr[oi]t|remov|delet|refactor|renam|extend|rewr[oi]t|adjust|implement|bump|mov|extract)(?:ed|d|e|ied|ten)?\b/i;
/** What looks like a file: a name with an ending that code has, or any path in backquotes. */
const FILE =
  /(?<![\w/.@:-])((?:[\w.@()[\]-]+\/)*[\w.@()[\]-]+\.(?:[cm]?[jt]sx?|py|pyi|json|jsonc|md|rst|txt|ya?ml|toml|css|scss|html|vue|svelte|go|rs|rb|java|kt|cs|c|h|cc|cpp|sh|sql|cfg|ini|lock))(?![\w/])/g;

/** "Updated src/a.ts" where no such file changed. */
function edits(sentences: readonly string[], run: Reviewed): Finding[] {
  const { result } = run;
  if (result.evidence.tree === 'unknown' || !result.evidence.coverage.complete) return [];
  const found: Finding[] = [];
  const said = new Set<string>();
  for (const sentence of sentences) {
    for (const file of editedFiles(sentence)) {
      if (said.has(file) || isChanged(file, run)) continue;
      said.add(file);
      found.push(unsupported(sentence, `it says that ${file} was changed; no file of that name was`));
    }
  }
  return found;
}

/** The object of the verb stands close behind it: "updated a.ts to match b.ts" says nothing of b.ts. */
function editedFiles(sentence: string): string[] {
  if (
    NEGATED.test(sentence) ||
    /\b(?:already|previously|previous|existing|later|next|could|can|may|might|consider|see|run)\b/i.test(
      sentence,
    )
  )
    return [];
  const plain = sentence.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  const names = [...plain.matchAll(FILE)].flatMap((match) =>
    match[1] === undefined ? [] : [{ name: match[1], at: match.index }],
  );
  return names.flatMap(({ name, at }) => {
    const before = plain.slice(0, at).replace(/[`"'*]/g, '');
    const heads =
      /^\s*(?:`|\*)*$/.test(before) &&
      /^[`*]*\s*(?:[:–—-]|\()/.test(plain.slice(at + name.length)) &&
      DID.test(plain.slice(at));
    const clause = before.slice(-60);
    const object =
      DID.test(clause) &&
      /(?:^|\b)(?:updat|add|creat|modif|chang|edit|wr[oi]t|remov|delet|rewr[oi]t|renam|refactor)\w*\s+(?:(?:the|a|an|new|file|files|module|script|config|both|only)\s+){0,3}$/i.test(
        clause,
      );
    return heads || object ? [name] : [];
  });
}

function isChanged(name: string, run: Reviewed): boolean {
  const wanted = name.replace(/^\.\//, '').replace(`${run.result.workdir}/`, '');
  return everChanged(run).some(({ path, from }) =>
    [path, from].some((one) => one === wanted || one?.endsWith(`/${wanted}`) || wanted.endsWith(`/${one}`)),
  );
}

function newTests(sentences: readonly string[], { result }: Reviewed): Finding[] {
  if (result.evidence.tree === 'unknown' || !result.evidence.coverage.complete) return [];
  if (
    result.evidence.changes.some(
      ({ path, kind }) => kind !== 'deleted' && (isTest(path) || isSnapshot(path) || /test|spec/i.test(path)),
    )
  )
    return [];
  const sentence = sentences.find(
    (one) =>
      /\b(?:added|wrote|created|extended|updated|new)\s+(?:(?:\w+|\d+)[\s,-]+){0,3}(?:unit |regression |integration )?tests?\b/i.test(
        one,
      ) && !NEGATED.test(one),
  );
  return sentence === undefined
    ? []
    : [unsupported(sentence, 'it speaks of tests that it wrote; no test file changed')];
}

function nothingDone(run: Reviewed): Finding[] {
  const { agent, evidence, readOnly, finalMessage } = run.result;
  if (agent.claim !== 'success' || evidence.tree !== 'unchanged' || !evidence.coverage.complete || readOnly)
    return [];
  if (everChanged(run).length > 0) return [];
  const [sentence = ''] = sentencesOf(finalMessage).filter((one) => DID.test(one) && !NEGATED.test(one));
  return sentence === '' ? [] : [unsupported(sentence, 'it reports changes; nothing in the tree changed')];
}

/** A claim that the evidence does not bear out. */
export function unsupported(sentence: string, detail: string): Finding {
  return {
    kind: 'claim-unsupported',
    file: null,
    line: null,
    side: null,
    text: truncate(oneLine(sentence), 200),
    detail,
  };
}
