import { stateHome } from '../core/state-home.ts';
import type { HookPlan } from '../publishing/hooks/hook-plan.ts';
import { planInstall } from '../publishing/hooks/install-hooks.ts';
import { planUninstall } from '../publishing/hooks/uninstall-hooks.ts';
import { unifiedDiff } from '../publishing/publish-diff.ts';
import { RootFolder } from '../publishing/root-folder.ts';
import { targetsOf } from '../targets/target.ts';
import { type RunChoice, treeAt } from './run-at.ts';

/** Whose hooks: `claude`, `codex` or `all`, of the project that `cd` lies in. */
export interface HookChoice extends Pick<RunChoice, 'cd' | 'env'> {
  target: string;
}

/** One file, what happens to it, and the difference as a patch (empty where there is none to show). */
export interface ShownHookChange {
  target: string;
  path: string;
  action: 'create' | 'update' | 'remove' | 'none';
  diff: string;
}

export interface HooksChanged {
  /** The top of the project, where the paths begin. */
  root: string;
  changes: ShownHookChange[];
  notes: string[];
  /** False where nothing had to be done, or it was not agreed to. */
  written: boolean;
}

/** Shown what would be written, answers whether it shall be. */
export type Agree = (planned: HooksChanged) => Promise<boolean>;

/** Installs the activation hooks. All is planned, and agreed to, before anything is written. */
export function installHooks(choice: HookChoice, agree: Agree): Promise<HooksChanged> {
  return change(choice, planInstall, agree);
}

/** Takes the activation hooks out again: settings that nobody touched since get their original bytes back. */
export function uninstallHooks(choice: HookChoice, agree: Agree): Promise<HooksChanged> {
  return change(choice, planUninstall, agree);
}

async function change(
  { cd, env, target }: HookChoice,
  planFor: typeof planInstall,
  agree: Agree,
): Promise<HooksChanged> {
  const targets = targetsOf(target);
  const { treeTop } = await treeAt({ cd, env });
  const root = RootFolder.open(treeTop);
  try {
    const plans = targets.map((one) => planFor(root, one, stateHome(env)));
    const planned: HooksChanged = {
      root: root.path,
      changes: (await Promise.all(plans.map(shown))).flat(),
      notes: plans.flatMap(({ notes = [] }) => notes),
      written: false,
    };
    const needed = planned.changes.some(({ action }) => action !== 'none');
    if (!needed || !(await agree(planned))) return planned;
    for (const plan of plans) plan.carryOut();
    return { ...planned, written: true };
  } finally {
    root.close();
  }
}

function shown({ target, changes }: HookPlan): Promise<ShownHookChange[]> {
  return Promise.all(
    changes.map(async ({ path, action, shown: texts }) => ({
      target: target.id,
      path,
      action,
      diff: texts && action !== 'none' ? await unifiedDiff(path, texts.before, texts.after) : '',
    })),
  );
}
