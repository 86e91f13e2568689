import { BatonError } from '../core/errors.ts';
import type { Target } from '../targets/target.ts';
import { ACTIVATION_HOOKS, ACTIVATION_SCRIPT, HOOK_MARKER } from './activation-hooks.ts';
import { JsonRefused } from './json-text.ts';
import type { MergeOptions, SettingsTemplate } from './merge-settings.ts';

/** The activation hooks as they stand in the settings of a target. */
export function hookTemplate(target: Target): SettingsTemplate {
  const script = `${TOPS[target.id]}/${scriptPath(target)}`;
  const hooks: SettingsTemplate['hooks'] = {};
  for (const { name, event, matcher, timeout } of ACTIVATION_HOOKS) {
    // Quoted, since a path may have spaces. A hook that exits with 2 would block the prompt: it always exits with 0.
    const command = `node "${script}" ${HOOK_MARKER}${name} || exit 0`;
    const group = {
      ...(matcher === undefined ? {} : { matcher }),
      hooks: [{ type: 'command' as const, command, timeout }],
    };
    hooks[event] = [...(hooks[event] ?? []), group];
  }
  return { hooks };
}

/** How ours are known in the settings of a target. `root`: the top of the project. */
export function hookMergeOptions(target: Target, root: string): MergeOptions {
  return {
    markers: { folder: target.hooks, root },
    ...(target.id === 'codex' ? { rootKeys: ['description', 'hooks'] } : {}),
  };
}

/** Where the script that the hooks start lies, relative to the top of the project. */
export function scriptPath(target: Target): string {
  return `${target.hooks}/${ACTIVATION_SCRIPT}`;
}

/** Edits settings; where they are refused, the error names the file, the line and what the CLIs make of it. */
export function editing(path: string, edit: () => string): string {
  try {
    return edit();
  } catch (error) {
    if (!(error instanceof JsonRefused)) throw error;
    const { line, message, code } = error.refusal;
    const where = line === null ? path : `${path}, line ${line}`;
    const ignored = ['duplicate-key', 'wrong-shape', 'unknown-key'].includes(code)
      ? ''
      : ': claude ignores such a whole file in silence, codex refuses it';
    throw new BatonError('settings', `${where}: ${message}${ignored}; nothing was written`, {
      hint: 'mend the file by hand, and try again',
    });
  }
}

/** How the shell that starts a hook finds the top of the project. */
const TOPS = { claude: '$CLAUDE_PROJECT_DIR', codex: '$(git rev-parse --show-toplevel)' } as const;
