import { type BriefLine, codeSpans } from '../blocks.ts';
import type { BriefFinding } from './finding.ts';
import type { BriefSubject, Place } from './subject.ts';

/** Programs whose first argument is not a path, and that stand at the beginning of what a project calls a gate. */
const RUNNER =
  /^(?:\.\/\S+|(?:npm|pnpm|yarn|bun|npx|bunx|deno|node|python3?|pytest|tox|nox|uv|poetry|pipenv|ruff|mypy|pyright|make|gmake|just|task|cargo|go|mvn|gradle|bundle|rake|rspec|composer|phpunit|dotnet|swift|mix|sbt|cmake|ctest|bazel|vitest|jest|mocha|playwright|tsc|eslint|oxlint|biome|prettier|sh|bash|zsh|pre-commit|tsx)(?=\s|$))/;

/** A command in backquotes or in a fence of the verification, or a line of its own there. */
export function namesGate(lines: readonly BriefLine[]): boolean {
  return commandsIn(lines).length > 0;
}

/** Whether it begins as a command does, and not as a path. */
export function isCommand(text: string): boolean {
  return RUNNER.test(text);
}

interface Command {
  text: string;
  line: number;
}

function commandsIn(lines: readonly BriefLine[]): Command[] {
  return lines.flatMap(({ text, number, fenced, block }) => {
    const verifies = block === 'verification_loop';
    const candidates = fenced ? (verifies || block === null ? [text] : []) : codeSpans(text);
    return candidates
      .map((candidate) => candidate.replace(/^\s*\$\s+/, '').trim())
      .filter(isCommand)
      .map((candidate) => ({ text: candidate, line: number }));
  });
}

/** Commands that cannot be run here: no such script, target, file or program. */
export function missingCommands({ lines, place }: BriefSubject): BriefFinding[] {
  const told = new Set<string>();
  return commandsIn(lines).flatMap(({ text, line }) => {
    const missing = told.has(text) ? null : whatIsMissing(text, place);
    told.add(text);
    return missing === null
      ? []
      : [
          {
            rule: 'missing-command',
            severity: 'error',
            line,
            message: `\`${text}\` cannot be run here: ${missing.why}`,
            remedy: missing.remedy,
          } satisfies BriefFinding,
        ];
  });
}

function whatIsMissing(command: string, place: Place): { why: string; remedy: string } | null {
  const words = command.split(/\s+/);
  const [program = ''] = words;
  if (program.startsWith('./')) {
    return place.hasPath(program)
      ? null
      : { why: `there is no ${program}`, remedy: 'correct the path, or say that it is to be made' };
  }
  const script = scriptOf(words);
  if (script !== null) {
    const scripts = place.scripts();
    if (scripts === null)
      return { why: 'there is no package.json', remedy: 'name a command that this project has' };
    if (scripts.includes(script)) return null;
    return {
      why: `package.json has no script "${script}"`,
      remedy: scripts.length > 0 ? `it has ${scripts.slice(0, 12).join(', ')}` : 'it has no scripts at all',
    };
  }
  if (/^g?make$/.test(program)) {
    const targets = place.targets();
    const target = words.slice(1).find((word) => /^[\w.-]+$/.test(word) && !word.startsWith('-'));
    if (targets === null)
      return { why: 'there is no Makefile', remedy: 'name a command that this project has' };
    if (target === undefined || targets.includes(target)) return null;
    return {
      why: `the Makefile has no target "${target}"`,
      remedy: `it has ${targets.slice(0, 12).join(', ')}`,
    };
  }
  // Tools such as eslint come with the project: npm puts them on the PATH of its scripts only.
  return place.hasProgram(program)
    ? null
    : {
        why: `${program} is not on PATH`,
        remedy: `install it, or run it as the project does, such as \`npx ${program}\``,
      };
}

/** The script of package.json that a command runs; null where it runs none. */
function scriptOf(words: readonly string[]): string | null {
  const [program = '', ...rest] = words;
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(program)) return null;
  const named = rest.filter((word) => !word.startsWith('-'));
  const [verb, name] = named;
  if (verb === undefined || rest.some((word) => /^(?:--prefix|-C|-w|--workspace|--filter|-F)/.test(word)))
    return null;
  if (verb === 'run' || verb === 'run-script') return name ?? null;
  if (program === 'bun' && verb === 'test') return null;
  if (verb === 't' || verb === 'tst') return 'test';
  // Of other verbs it cannot be told whether they are npm's own, or those of a binary that yarn and pnpm would find.
  return /^(?:test|start|stop|restart)$/.test(verb) ? verb : null;
}
