import { Readable } from 'node:stream';
import type { HookState } from '../skills/hook-status/hook-state.ts';
import type { HooksChanged, ShownHookChange } from '../verbs/hooks-change.ts';
import type { HooksStatus } from '../verbs/hooks-status.ts';
import { colourPatch } from './colour-patch.ts';
import type { Style } from './style.ts';
import { visible } from './summary.ts';

/** What is about to be written: the files, and the differences of those that a person reads. */
export async function changesText({ changes, notes }: HooksChanged, style: Style): Promise<string> {
  const parts = changes.filter(({ action }) => action !== 'none').map(changeLine);
  for (const { diff } of changes)
    for await (const line of colourPatch(Readable.from([diff]), style)) if (line !== '\n') parts.push(line);
  return [...parts, ...notes.map((note) => `${style.yellow(visible(note))}\n`)].join('');
}

/** What became of it, in one line. */
export function doneText(
  { root, changes, written }: HooksChanged,
  { dryRun }: { dryRun: boolean },
  style: Style,
): string {
  if (changes.every(({ action }) => action === 'none')) return `nothing to do in ${visible(root)}\n`;
  if (written) return `${style.green('done')} in ${visible(root)}\n`;
  return dryRun ? style.dim('nothing was written: this was a dry run\n') : 'nothing was written\n';
}

/** What a person has to do so that codex starts the hooks: it starts none of a project that were not trusted. */
export function trustText({ root, changes }: HooksChanged): string {
  const codex = changes.some(({ target }) => target === 'codex');
  const claude = changes.some(({ target }) => target === 'claude');
  return [
    ...(claude
      ? ['claude reads these settings when it is started in this folder itself, not below it.\n']
      : []),
    ...(codex
      ? [
          'codex skips the hooks until you trust them:\n',
          '  1. trust the project: say yes when codex asks, or write into ~/.codex/config.toml ($CODEX_HOME)\n',
          `       [projects.${JSON.stringify(root)}]\n`,
          '       trust_level = "trusted"\n',
          '  2. start codex here. It says "Hooks need review": look at them, then "Trust all and continue".\n',
          '  /hooks shows them later. Whenever one is changed, codex asks again. `baton hooks status` tells what it does.\n',
        ]
      : []),
  ].join('');
}

export function statusText({ target, state, source, details }: HooksStatus, style: Style): string {
  const paint = state === 'in-force' ? style.green : state === 'absent' ? style.dim : style.yellow;
  const by = source === 'cli' ? `says ${target}` : 'by its settings';
  return [
    `${style.bold(target.padEnd(7))} ${paint(state)} ${style.dim(`(${by})`)}\n`,
    ...details.map((detail) => `  ${visible(detail)}\n`),
    ...(state === 'in-force' ? [] : [`  ${wayOut(state, target)}\n`]),
  ].join('');
}

function wayOut(state: HookState, target: string): string {
  if (state === 'absent') return `install them with \`baton hooks install --target ${target}\``;
  if (state === 'not-trusted')
    return 'start codex in this folder, trust the project, and look at the hooks and trust them when it asks';
  return state === 'file-ignored' ? 'mend the file by hand' : 'turn hooks on again there';
}

const WORDS: { [action in ShownHookChange['action']]: string } = {
  create: 'new    ',
  update: 'change ',
  remove: 'remove ',
  none: 'as is  ',
};

function changeLine({ action, path }: ShownHookChange): string {
  return `${WORDS[action]} ${visible(path)}\n`;
}
