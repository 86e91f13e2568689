import type { Flags } from './flags.ts';

const WITH_VALUE = [
  '--script',
  '--config',
  '--output-last-message',
  '--model',
  '--sandbox',
  '--output-schema',
  '--add-dir',
  '--ask-for-approval',
] as const;
const WITHOUT_VALUE = [
  '--json',
  '--skip-git-repo-check',
  '--ephemeral',
  '--ignore-rules',
  '--help',
  '--version',
  '--last',
] as const;
/** Not of `resume`: they stand before it. */
const OF_EXEC_ONLY = ['--sandbox', '--add-dir', '--ask-for-approval'];
const SHORT: { [flag: string]: string } = {
  '-c': '--config',
  '-o': '--output-last-message',
  '-m': '--model',
  '-s': '--sandbox',
  '-h': '--help',
  '-V': '--version',
};

/** Whether these arguments are those of `codex exec`. */
export function isCodexCommand(args: readonly string[]): boolean {
  return args[args[0] === '--script' ? 2 : 0] === 'exec';
}

/** Reads the arguments of `codex exec [resume <id>] … -`, or says in the words of the real CLI what is wrong with them. */
export function readCodexFlags(args: readonly string[]): { flags: Flags } | { error: string } {
  const values = new Map<string, string>();
  const given = new Set<string>();
  const words: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const written = args[index] ?? '';
    const name = SHORT[written] ?? written;
    const resumes = words.includes('resume');
    if (WITHOUT_VALUE.some((flag) => flag === name)) given.add(name);
    else if (WITH_VALUE.some((flag) => flag === name) && !(resumes && OF_EXEC_ONLY.includes(name))) {
      index += 1;
      const value = args[index];
      if (value === undefined)
        return { error: `error: a value is required for '${written} <VALUE>' but none was supplied` };
      values.set(name, value);
    } else if (written.startsWith('-') && written !== '-') return { error: unexpected(written, resumes) };
    else words.push(written);
  }
  const [, verb, id] = words;
  const resumes = verb === 'resume';
  return {
    flags: {
      script: values.get('--script') ?? null,
      version: given.has('--version'),
      help: given.has('--help'),
      resume: resumes && id !== undefined && id !== '-' ? id : null,
      continueLast: resumes && given.has('--last'),
      model: values.get('--model') ?? null,
      permissionMode: values.get('--sandbox') ?? null,
      settings: null,
      tools: null,
      maxTurns: null,
      maxBudgetUsd: null,
      lastMessageFile: values.get('--output-last-message') ?? null,
      ephemeral: given.has('--ephemeral'),
    },
  };
}

function unexpected(flag: string, resumes: boolean): string {
  const usage = resumes
    ? 'Usage: codex exec resume [OPTIONS] [SESSION_ID] [PROMPT]'
    : 'Usage: codex exec [OPTIONS] [PROMPT]';
  return `error: unexpected argument '${flag}' found\n\n${usage}`;
}

/** The help text, in the form in which the real CLI lists its flags. */
export function codexHelp(args: readonly string[]): string {
  const resumes = args.includes('resume');
  const flags = [...WITH_VALUE, ...WITHOUT_VALUE].filter(
    (flag) =>
      flag !== '--ask-for-approval' && flag !== '--script' && !(resumes && OF_EXEC_ONLY.includes(flag)),
  );
  const short = new Map(Object.entries(SHORT).map(([one, flag]) => [flag, one]));
  const lines = flags.map((flag) => `  ${short.has(flag) ? `${short.get(flag)}, ` : '    '}${flag}`);
  return `Plays a YAML script as a codex-shaped CLI.\n\nUsage: codex exec${resumes ? ' resume' : ''} [OPTIONS] [PROMPT]\n\nOptions:\n${lines.join('\n')}\n`;
}
