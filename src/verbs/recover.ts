import { existsSync } from 'node:fs';
import type { Env } from '../core/environment.ts';
import { BatonError } from '../core/errors.ts';
import { stateHome } from '../core/state-home.ts';
import { journalPath } from '../landing/journal.ts';
import { withLandingLock } from '../landing/lock.ts';
import { recover, type Recovery } from '../landing/recover.ts';
import { workshopFolder } from '../landing/workshop.ts';
import { treeAt } from './run-at.ts';

/**
 * Completes or takes back a landing that was interrupted in the working tree at `cd`; null where none was, or where a
 * landing or a write run is at work there just now, which is then no crash.
 */
export async function recoverLanding({ cd, env }: { cd: string; env: Env }): Promise<Recovery | null> {
  const home = stateHome(env);
  const { repository } = await treeAt({ cd, env });
  if ('problem' in repository) return null;
  const folder = workshopFolder(home, repository.top);
  if (!existsSync(journalPath(folder))) return null;
  try {
    return await withLandingLock({ repository, stateHome: home, runId: 'recovery' }, () =>
      recover(repository, { folder, env }),
    );
  } catch (error) {
    if (error instanceof BatonError && ['landing-under-way', 'usage'].includes(error.code)) return null;
    throw error;
  }
}
