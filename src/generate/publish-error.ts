import { BatonError, messageOf, systemCode } from '../core/errors.ts';

/** Publishing failed, and how that was left: a full disk has another way out than a folder that cannot be written. */
export function publishError(left: string, error: unknown): BatonError {
  const full = ['ENOSPC', 'EDQUOT'].includes(systemCode(error) ?? '');
  return new BatonError('publish', `publishing failed, ${left}: ${messageOf(error)}`, {
    hint: full ? 'make room on the disk and try again' : 'mend that and try again',
    cause: error,
  });
}

/** The state folder cannot be written: without it nothing could be mended or undone. */
export function stateFolderError(folder: string, error: unknown): BatonError {
  const full = ['ENOSPC', 'EDQUOT'].includes(systemCode(error) ?? '');
  return new BatonError(
    'state-folder',
    `nothing was published: ${folder} cannot be written: ${messageOf(error)}`,
    {
      hint: full ? 'make room on the disk and try again' : 'set BATON_HOME to a folder that can be written',
      cause: error,
    },
  );
}
