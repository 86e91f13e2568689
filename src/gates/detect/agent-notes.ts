import { kindOf, type Proposal, type ReadText } from './proposal.ts';

const NOTES: readonly string[] = ['AGENTS.md', 'CLAUDE.md'];

/** Commands whose first words say what they check. Anything behind them, up to a comment, belongs to the command. */
const TOOLS: readonly [command: RegExp, kind: string][] = [
  [/^(?:python3? -m |uv run |poetry run )?pytest\b/, 'test'],
  [/^(?:npx )?(?:vitest|jest|mocha|playwright)\b/, 'test'],
  [/^(?:cargo|go|dotnet|deno|swift|mix|flutter|sbt|bun) test\b/, 'test'],
  [/^(?:\.\/)?(?:gradlew|mvnw|gradle|mvn) (?:test|check|verify)\b/, 'test'],
  [/^(?:bundle exec )?(?:rspec|rake test)\b/, 'test'],
  [
    /^(?:cargo clippy|go vet|golangci-lint|(?:npx )?(?:eslint|oxlint|biome (?:check|lint|ci))|ruff check|flake8)\b/,
    'lint',
  ],
  [/^(?:(?:npx )?tsc|mypy|pyright)\b/, 'typecheck'],
  [/^(?:cargo fmt .*--check|ruff format .*--check|black .*--check|(?:npx )?prettier .*--check)/, 'format'],
  [/^(?:cargo|go) build\b/, 'build'],
];
const SCRIPT = /^(?:(?:npm|pnpm|yarn|bun) (?:run )?|make |just |task )([A-Za-z0-9:._-]+)/;
/** Placeholders, and what starts another command: nobody could run it as it stands. */
const NOT_PLAIN = /[<>|;&`$…]|\.\.\.(?!$|\s)|\bwatch\b|--fix\b|--write\b/;

/** Commands in code spans and code blocks of the notes for agents. */
export function fromAgentNotes(read: ReadText): Proposal[] {
  return NOTES.flatMap((file) => {
    const lines = (read(file) ?? '').split(/\r?\n/);
    let fenced = false;
    return lines.flatMap((line, at) => {
      if (/^\s*(?:```|~~~)/.test(line)) {
        fenced = !fenced;
        return [];
      }
      const snippets = fenced ? [line] : [...line.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? '');
      return snippets.flatMap((snippet) => proposalOf(snippet, `${file}:${at + 1}`));
    });
  });
}

function proposalOf(snippet: string, from: string): Proposal[] {
  const command = snippet
    .replace(/^\s*\$ /, '')
    .replace(/\s+#.*$/, '')
    .trim();
  if (command === '' || command.length > 200 || NOT_PLAIN.test(command)) return [];
  const script = SCRIPT.exec(command)?.[1];
  const name =
    (script === undefined ? null : kindOf(script)) ?? TOOLS.find(([form]) => form.test(command))?.[1] ?? null;
  return name === null ? [] : [{ name, command, from }];
}
