import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stateHome } from '../core/state-home.ts';
import type { Io } from './io.ts';

/**
 * After a crash in the middle of a landing, or of a publication, the next command completes it or takes it back, and
 * says which: a run that began in such a tree would be given the blame for it. Nearly always there is nothing, and then
 * nothing is loaded. What a command mends by itself is left to it.
 */
export async function recoverFirst(
  cd: string,
  io: Io,
  { landings, publications }: { landings: boolean; publications: boolean },
): Promise<void> {
  const home = stateHome(io.env);
  if (landings && isAnyInterrupted(join(home, 'landings'))) await recoverLandings(cd, io);
  if (publications && isAnyInterrupted(join(home, 'publications'))) await recoverPublished(cd, io);
}

async function recoverLandings(cd: string, io: Io): Promise<void> {
  const { recoverLanding } = await import('../verbs/recover.ts');
  const recovery = await recoverLanding({ cd, env: io.env });
  if (!recovery) return;
  const { tellRecovery } = await import('./landing-text.ts');
  tellRecovery(io)(recovery);
}

async function recoverPublished(cd: string, io: Io): Promise<void> {
  const { recoverPublications } = await import('../verbs/recover-publications.ts');
  const recoveries = await recoverPublications({ cd, env: io.env });
  if (recoveries.length === 0) return;
  const { tellPublishRecovery } = await import('./publish-text.ts');
  for (const recovery of recoveries) tellPublishRecovery(io, recovery);
}

function isAnyInterrupted(folder: string): boolean {
  try {
    return readdirSync(folder).some((tree) => existsSync(join(folder, tree, 'journal.json')));
  } catch {
    return false;
  }
}
