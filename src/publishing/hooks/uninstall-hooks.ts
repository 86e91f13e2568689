import { isObject } from '../../core/json.ts';
import { editing, hookMergeOptions, scriptPath } from '../../skills/hook-template.ts';
import { unmergeSettings } from '../../skills/unmerge-settings.ts';
import type { Target } from '../../targets/target.ts';
import { contentHash } from '../../trust/approval.ts';
import type { RootFolder } from '../root-folder.ts';
import { FirstOriginal, type Remembered } from './first-original.ts';
import type { HookChange, HookPlan } from './hook-plan.ts';
import { removeEmptyFolders, removeScript, scriptHash, shippedScript } from './hook-script.ts';
import { foldersAbove } from '../staging.ts';
import { readSettings, type SettingsFile, writeSettings } from './settings-file.ts';

/** What taking the hooks of a target out would write. Throws a BatonError where it must not be done; writes nothing. */
export function planUninstall(root: RootFolder, target: Target, stateHome: string): HookPlan {
  const file = readSettings(root.path, target.settings);
  const memory = new FirstOriginal(stateHome, root.path, target.id);
  const known = memory.read();
  const after = withoutOurs(root.path, target, file, known);
  const path = scriptPath(target);
  const script = scriptHash(root, path);
  const foreign = script !== null && ![known?.script, contentHash(shippedScript())].includes(script);
  const changes: HookChange[] = [
    {
      path: file.name,
      action: sameBytes(file.bytes, after) ? 'none' : after === null ? 'remove' : 'update',
      shown: { before: file.text, after: after?.toString('utf8') ?? '' },
    },
    { path, action: script === null || foreign ? 'none' : 'remove', shown: null },
  ];
  return {
    target,
    changes,
    notes: foreign ? [`${path} is not as baton left it: it stays`] : [],
    // The settings come first: a script that nothing starts harms nobody.
    carryOut: () => {
      if (!sameBytes(file.bytes, after)) writeSettings(root, file, after);
      if (script !== null && !foreign) removeScript(root, path);
      // Made by something of baton's that came first, and went first, they are nobody's now.
      const gone = [
        ...(file.bytes !== null && after === null ? [file.place] : []),
        ...(script !== null && !foreign ? [path] : []),
      ];
      removeEmptyFolders(root, [...new Set([...(known?.made ?? []), ...gone.flatMap(foldersAbove)])]);
      memory.forget();
    },
  };
}

/** The bytes without ours; null where there shall be no file. */
function withoutOurs(
  root: string,
  target: Target,
  file: SettingsFile,
  known: Remembered | null,
): Buffer | null {
  if (file.bytes === null || file.text === null) return null;
  if (known && known.left === contentHash(file.bytes)) return known.original;
  const { markers } = hookMergeOptions(target, root);
  const { text } = file;
  const original = known?.original?.toString('utf8') ?? null;
  const rest = editing(target.settings, () => unmergeSettings(text, { markers, original }));
  if (rest === text) return file.bytes;
  const ourFile = known !== null && known.original === null;
  return ourFile && isEmptyObject(rest) ? null : Buffer.from(rest, 'utf8');
}

function isEmptyObject(text: string): boolean {
  const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
  return isObject(value) && Object.keys(value).length === 0;
}

function sameBytes(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}
