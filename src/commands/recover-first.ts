import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stateHome } from '../core/state-home.ts';
import type { Io } from './io.ts';

/**
 * After a crash in the middle of a landing the next command completes it or takes it back, and says which: a run that
 * began in such a tree would be given the blame for it. Nearly always there is nothing, and then nothing is loaded.
 */
export async function recoverFirst(cd: string, io: Io): Promise<void> {
  if (!isAnyInterrupted(join(stateHome(io.env), 'landings'))) return;
  const { recoverLanding } = await import('../verbs/recover.ts');
  const recovery = await recoverLanding({ cd, env: io.env });
  if (!recovery) return;
  const { tellRecovery } = await import('./landing-text.ts');
  tellRecovery(io)(recovery);
}

function isAnyInterrupted(folder: string): boolean {
  try {
    return readdirSync(folder).some((tree) => existsSync(join(folder, tree, 'journal.json')));
  } catch {
    return false;
  }
}
