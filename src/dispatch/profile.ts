import { UsageError } from '../core/errors.ts';
import type { ProfileName, SandboxMode } from '../rundir/result.ts';
import type { DispatchOptions } from './options.ts';

/** `asked` is false where nothing was said: then a resumed session may know better. */
export interface ChosenProfile {
  profile: ProfileName;
  asked: boolean;
}

type ProfileOptions = Pick<DispatchOptions, 'readOnly' | 'dangerouslySkipPermissions' | 'sandbox'>;

/** What the run may do, by any of the flags that say so. Throws a UsageError where two of them disagree. */
export function chooseProfile({
  readOnly,
  dangerouslySkipPermissions,
  sandbox,
}: ProfileOptions): ChosenProfile {
  if (readOnly && dangerouslySkipPermissions) {
    throw new UsageError('--read-only and --dangerously-skip-permissions exclude each other: choose one');
  }
  if (sandbox !== undefined) {
    const profile = bySandbox(sandbox, readOnly ?? false, dangerouslySkipPermissions ?? false);
    return { profile, asked: true };
  }
  if (readOnly) return { profile: 'read-only', asked: true };
  if (dangerouslySkipPermissions) return { profile: 'bypass', asked: true };
  return { profile: 'write', asked: false };
}

const BY_MODE: { [mode in SandboxMode]: ProfileName } = {
  'read-only': 'read-only',
  'workspace-write': 'write',
  'danger-full-access': 'bypass',
};

function bySandbox(mode: string, readOnly: boolean, skipPermissions: boolean): ProfileName {
  if (!isMode(mode)) {
    const modes = Object.keys(BY_MODE).join(', ');
    throw new UsageError(`--sandbox ${JSON.stringify(mode)} is not a sandbox mode: choose ${modes}`);
  }
  if (skipPermissions) {
    throw new UsageError('--sandbox and --dangerously-skip-permissions exclude each other: choose one');
  }
  if (readOnly && mode !== 'read-only') {
    throw new UsageError(`--read-only and --sandbox ${mode} exclude each other: choose one`);
  }
  return BY_MODE[mode];
}

function isMode(mode: string): mode is SandboxMode {
  return Object.hasOwn(BY_MODE, mode);
}
