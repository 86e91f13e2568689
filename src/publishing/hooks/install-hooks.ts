import { editing, hookMergeOptions, hookTemplate, scriptPath } from '../../skills/hook-template.ts';
import { type MergeOptions, mergeSettings } from '../../skills/merge-settings.ts';
import { unmergeSettings } from '../../skills/unmerge-settings.ts';
import type { Target } from '../../targets/target.ts';
import { contentHash } from '../../trust/approval.ts';
import type { RootFolder } from '../root-folder.ts';
import { FirstOriginal, type Remembered } from './first-original.ts';
import type { HookChange, HookPlan } from './hook-plan.ts';
import { makeFolders, scriptHash, shippedScript, writeScript } from './hook-script.ts';
import { folderOf, readSettings, type SettingsFile, writeSettings } from './settings-file.ts';

/** What installing the hooks of a target would write. Throws a BatonError where it must not be done; writes nothing. */
export function planInstall(root: RootFolder, target: Target, stateHome: string): HookPlan {
  const file = readSettings(root.path, target.settings);
  const options = hookMergeOptions(target, root.path);
  const merged = editing(target.settings, () => mergeSettings(file.text, hookTemplate(target), options));
  const without = withoutOurs(file, options);
  const script = shippedScript();
  const path = scriptPath(target);
  const there = scriptHash(root, path);
  const changes: HookChange[] = [
    {
      path,
      action: there === null ? 'create' : there === contentHash(script) ? 'none' : 'update',
      shown: null,
    },
    {
      path: file.name,
      action: file.text === null ? 'create' : merged === file.text ? 'none' : 'update',
      shown: { before: file.text, after: merged },
    },
  ];
  return {
    target,
    changes,
    // The script comes first: settings that name one which is not there yet would start nothing.
    carryOut: () => {
      const made = [...makeFolders(root, folderOf(path)), ...makeFolders(root, folderOf(file.place))];
      if (there !== contentHash(script)) writeScript(root, path, script);
      const after = Buffer.from(merged, 'utf8');
      const memory = new FirstOriginal(stateHome, root.path, target.id);
      memory.write(remembered(file, after, memory.read(), { script: contentHash(script), made, without }));
      if (merged !== file.text) writeSettings(root, file, after);
    },
  };
}

/**
 * What is remembered once `after` is written. The first original stays as long as ours are in the file; it comes back
 * only where nobody else wrote in between. `without`: the file as it is now, less ours.
 */
function remembered(
  { bytes }: SettingsFile,
  after: Buffer,
  known: Remembered | null,
  { script, made, without }: { script: string; made: string[]; without: Buffer | null },
): Remembered {
  const folders = [...new Set([...(known?.made ?? []), ...made])];
  const fresh = bytes === null || without === null || bytes.equals(without);
  if (fresh) return { original: bytes, left: contentHash(after), script, made: folders };
  // Ours came with somebody's commit, or a person wrote there since: then they are cut out some day.
  if (known === null) return { original: without, left: null, script, made: folders };
  const unbroken = known.left === contentHash(bytes);
  return { original: known.original, left: unbroken ? contentHash(after) : null, script, made: folders };
}

function withoutOurs({ text }: SettingsFile, { markers }: MergeOptions): Buffer | null {
  return text === null ? null : Buffer.from(unmergeSettings(text, { markers }), 'utf8');
}
