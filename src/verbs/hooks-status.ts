import { ACTIVATION_SCRIPT } from '../skills/activation-hooks.ts';
import { claudeHookStatus } from '../skills/hook-status/claude.ts';
import { codexHookStatus } from '../skills/hook-status/codex.ts';
import type { HookStatus } from '../skills/hook-status/hook-state.ts';
import { contentHash } from '../trust/approval.ts';
import { RootFolder } from '../publishing/root-folder.ts';
import { scriptHash, shippedScript } from '../publishing/hooks/hook-script.ts';
import { scriptPath } from '../skills/hook-template.ts';
import { findTarget, targetsOf } from '../targets/target.ts';
import type { HookChoice } from './hooks-change.ts';
import { treeAt } from './run-at.ts';

/** How the hooks stand, and their script. */
export interface HooksStatus extends HookStatus {
  /** `other`: of another version, or edited. Without the script the hooks do nothing. */
  script: 'current' | 'other' | 'missing';
}

const LIMIT_MS = 20_000;

/** Asks each CLI what it does with the activation hooks. No model is asked, and nothing reaches the network. */
export async function hooksStatus({ cd, env, target }: HookChoice): Promise<HooksStatus[]> {
  const targets = targetsOf(target);
  const { treeTop } = await treeAt({ cd, env });
  const root = RootFolder.open(treeTop);
  try {
    const request = { root: root.path, env, platform: process.platform, limitMs: LIMIT_MS };
    return await Promise.all(
      targets.map(async ({ id }) => {
        const status = await (id === 'claude' ? claudeHookStatus(request) : codexHookStatus(request));
        return withScript(root, status);
      }),
    );
  } finally {
    root.close();
  }
}

function withScript(root: RootFolder, status: HookStatus): HooksStatus {
  const hash = scriptHash(root, scriptPath(findTarget(status.target)));
  if (hash === contentHash(shippedScript())) return { ...status, script: 'current' };
  const script = hash === null ? 'missing' : 'other';
  if (status.state === 'absent') return { ...status, script };
  const what =
    hash === null
      ? `${ACTIVATION_SCRIPT} is missing: the hooks do nothing`
      : `${ACTIVATION_SCRIPT} is not the one of this version`;
  return { ...status, script, details: [...status.details, `${what}; \`baton hooks install\` mends it`] };
}
