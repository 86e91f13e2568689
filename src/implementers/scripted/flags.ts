/** The flags of an agent CLI that the player understands; what it does not use it accepts, as long as baton passes it. */
export interface Flags {
  script: string | null;
  version: boolean;
  help: boolean;
  resume: string | null;
  continueLast: boolean;
  model: string | null;
  permissionMode: string | null;
  settings: string | null;
  tools: string[] | null;
  maxTurns: string | null;
  maxBudgetUsd: string | null;
  /** Where the last message is written at the end. */
  lastMessageFile: string | null;
  /** The session is not kept. */
  ephemeral: boolean;
}

const WITH_VALUE = [
  '--script',
  '--output-format',
  '--tools',
  '--disallowedTools',
  '--allowedTools',
  '--settings',
  '--permission-mode',
  '--resume',
  '--model',
  '--effort',
  '--max-turns',
  '--max-budget-usd',
  '--autocompact',
  '--json-schema',
] as const;

const WITHOUT_VALUE = [
  '--print',
  '--verbose',
  '--version',
  '--help',
  '--continue',
  '--strict-mcp-config',
  '--disable-slash-commands',
  '--dangerously-skip-permissions',
  '--include-partial-messages',
] as const;

const SHORT: { [flag: string]: string } = {
  '-p': '--print',
  '-v': '--version',
  '-h': '--help',
  '-c': '--continue',
  '-r': '--resume',
};

/** Reads the arguments, or says in the words of the real CLI what is wrong with them. */
export function readFlags(args: readonly string[]): { flags: Flags } | { error: string } {
  const values = new Map<string, string>();
  const given = new Set<string>();
  for (let index = 0; index < args.length; index += 1) {
    const written = args[index] ?? '';
    const name = SHORT[written] ?? written;
    if (isOneOf(WITHOUT_VALUE, name)) given.add(name);
    else if (isOneOf(WITH_VALUE, name)) {
      index += 1;
      const value = args[index];
      if (value === undefined) return { error: `error: option '${written} <value>' argument missing` };
      values.set(name, value);
    } else if (written.startsWith('-')) return { error: `error: unknown option '${written}'` };
    else return { error: `error: unexpected argument '${written}': the brief comes on stdin` };
  }
  const format = values.get('--output-format') ?? 'stream-json';
  if (format !== 'stream-json')
    return { error: `error: --output-format ${format}: a script is played as stream-json only` };
  return {
    flags: {
      script: values.get('--script') ?? null,
      version: given.has('--version'),
      help: given.has('--help'),
      resume: values.get('--resume') ?? null,
      continueLast: given.has('--continue'),
      model: values.get('--model') ?? null,
      permissionMode: given.has('--dangerously-skip-permissions')
        ? 'bypassPermissions'
        : (values.get('--permission-mode') ?? null),
      settings: values.get('--settings') ?? null,
      tools: values.get('--tools')?.split(',') ?? null,
      maxTurns: values.get('--max-turns') ?? null,
      maxBudgetUsd: values.get('--max-budget-usd') ?? null,
      lastMessageFile: null,
      ephemeral: false,
    },
  };
}

function isOneOf<T extends string>(names: readonly T[], name: string): name is T {
  return names.some((one) => one === name);
}
