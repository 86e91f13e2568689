/** A gate that a project's own files speak of. */
export interface Proposal {
  name: string;
  command: string;
  /** Where it was found, such as `package.json scripts.test` or `AGENTS.md:12`. */
  from: string;
}

/** A file of the project by its name at the top; null where there is none that can be read. */
export type ReadText = (name: string) => string | null;

/** What gates are usually for, in the order in which a person would run them: the quick ones first. */
const KINDS: readonly { name: string; words: RegExp }[] = [
  { name: 'format', words: /^(?:format[:-]?check|check[:-]?format|fmt[:-]?check|check[:-]?fmt)$/ },
  { name: 'lint', words: /^(?:lint|lint[:-](?:check|ci|all))$/ },
  { name: 'typecheck', words: /^(?:typecheck|type-check|types|tsc|check[:-]types|mypy)$/ },
  { name: 'check', words: /^(?:check|verify|validate)$/ },
  { name: 'build', words: /^(?:build|compile)$/ },
  { name: 'test', words: /^(?:test|tests|test[:-](?:ci|all|unit))$/ },
];

/** The kind that a script or target of this name is; null for any other. */
export function kindOf(script: string): string | null {
  return KINDS.find(({ words }) => words.test(script))?.name ?? null;
}

/** One proposal a command, in the order of their kinds; names that meet get a number. */
export function tidy(proposals: readonly Proposal[]): Proposal[] {
  const rank = ({ name }: Proposal): number => KINDS.findIndex((kind) => kind.name === name);
  const commands = new Set<string>();
  const names = new Map<string, number>();
  return proposals
    .filter(({ command }) => !commands.has(command) && commands.add(command))
    .sort((a, b) => rank(a) - rank(b))
    .map((proposal) => {
      const count = (names.get(proposal.name) ?? 0) + 1;
      names.set(proposal.name, count);
      return count === 1 ? proposal : { ...proposal, name: `${proposal.name}-${count}` };
    });
}
