import { HOOK_MARKER } from './activation-hooks.ts';

/** By what hooks of ours are told from all others in a project's settings. */
export interface HookMarkers {
  /** The project's folder of hook scripts, relative to its top: `.claude/hooks`. */
  folder: string;
  /** The top of the project, where a command may name it in full. */
  root?: string;
}

/** What a command is of ours: a hook by its name, or one from before there were names. */
export type Ours = { kind: 'marked'; name: string } | { kind: 'legacy'; name: string };

/** The hooks of earlier tools of this family, which had no marker. */
const LEGACY_NAMES: readonly string[] = [
  'skill-activation-prompt',
  'graph-context-prompt',
  'post-tool-use-tracker',
  'save-tokens-statusline',
  'save-tokens-prompt-guard',
  'save-tokens-precompact',
];

/** `node <one word> baton-hook:<name>`: a sentence that merely speaks of the marker is nobody's hook. */
const MARKED = new RegExp(
  String.raw`(?:^|[\s/=])node(?:\.exe)?\s+(?:"[^"]*"|'[^']*'|[^\s"']+)\s+${HOOK_MARKER}([a-z0-9-]+)(?=$|[\s;&|)])`,
);

/** How a command may say "the top of this project". */
const TOPS = [
  String.raw`\./`,
  String.raw`\$\{?CLAUDE_PROJECT_DIR\}?/`,
  String.raw`\$\{?PWD\}?/`,
  String.raw`\$\(git rev-parse --show-toplevel\)/`,
];

/** Whose a hook is by its command; null for everybody else's. */
export function oursIn(command: string, markers: HookMarkers): Ours | null {
  const marked = MARKED.exec(command)?.[1];
  if (marked !== undefined) return { kind: 'marked', name: marked };
  const legacy = legacyName(command, markers);
  return legacy === null ? null : { kind: 'legacy', name: legacy };
}

/**
 * The legacy hook that a command starts from this project's own folder. The name alone proves nothing: people have
 * scripts of such names in their home, or of another project.
 */
function legacyName(command: string, { folder, root }: HookMarkers): string | null {
  const plain = command.replace(/["']/g, '');
  const tops = root === undefined ? TOPS : [...TOPS, escaped(`${root}/`)];
  const place = String.raw`(?:^|[\s=;&|])(?:${tops.join('|')})?${escaped(folder)}`;
  const script = String.raw`(${LEGACY_NAMES.join('|')})(?:\.\w+)?(?=$|[\s;&|)])`;
  const [direct, entered] = [
    new RegExp(String.raw`${place}/(?:[\w.-]+/)*${script}`),
    new RegExp(String.raw`\bcd${place}/?\s*&&.*[\s/]${script}`),
  ];
  return direct.exec(plain)?.[1] ?? entered.exec(plain)?.[1] ?? null;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
