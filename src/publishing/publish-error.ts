import { BatonError, messageOf, systemCode } from '../core/errors.ts';

/** A publication, or an undo of one, failed, and nothing was changed. */
export function publishError(kind: 'publish' | 'undo', error: unknown): BatonError {
  const what = kind === 'publish' ? 'publishing failed' : 'the undo failed';
  return new BatonError('publish', `${what}, nothing was changed: ${messageOf(error)}`, {
    hint: isFull(error) ? 'make room on the disk and try again' : 'mend that and try again',
    cause: error,
  });
}

/** The state folder cannot be written: without it nothing could be mended or undone, so nothing is published or undone. */
export function stateFolderError(folder: string, error: unknown): BatonError {
  return new BatonError(
    'state-folder',
    `nothing was changed: ${folder} cannot be written: ${messageOf(error)}`,
    {
      hint: isFull(error)
        ? 'make room on the disk and try again'
        : 'set BATON_HOME to a folder that can be written',
      cause: error,
    },
  );
}

/** A full disk has another way out than a folder that cannot be written. */
function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(systemCode(error) ?? '');
}
