import type { Env } from '../core/environment.ts';
import type { UndoOutcome } from '../publishing/publish-contract.ts';
import { undoPublication } from '../publishing/undo-publication.ts';
import { treeAt } from './run-at.ts';

/**
 * Takes the last publication in the repository at `cd` back. Rejects with a BatonError and nothing changed where there
 * is none, or (without `force`) where its files were edited since.
 */
export async function skillsUndo(choice: { cd: string; env: Env; force: boolean }): Promise<UndoOutcome> {
  const { treeTop } = await treeAt(choice);
  return undoPublication({ root: treeTop, env: choice.env, force: choice.force });
}
