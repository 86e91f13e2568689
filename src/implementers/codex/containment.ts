import type { ViolationKind } from '../../rundir/result.ts';
import type { Containment, ContainmentLine, LaunchRequest } from '../implementer.ts';

type ContainmentRequest = Pick<LaunchRequest, 'profile' | 'platform' | 'allowHooks' | 'allowWrite'>;
type Wall = Omit<ContainmentLine, 'kind'>;

/** Everything that lies in a git directory: one wall holds for all of it. */
const IN_GIT_DIR = ['commit', 'ref', 'stash', 'index', 'hooks', 'git-config'] as const;
const ALL: readonly ViolationKind[] = [...IN_GIT_DIR, 'agent-settings', 'scope', 'read-only', 'outside'];

const no = (why: string): Wall => ({ possible: false, why });
const yes = (why: string): Wall => ({ possible: true, why });

/**
 * What a run of this profile can still write. Each line was tried with the real CLI on Linux; macOS has the same
 * settings and another kernel mechanism.
 */
export function codexContainment(request: ContainmentRequest): Containment {
  const wall = wallFor(request);
  return { lines: ALL.map((kind) => ({ kind, ...wall(kind) })) };
}

function wallFor({
  profile,
  platform,
  allowHooks,
  allowWrite,
}: ContainmentRequest): (kind: ViolationKind) => Wall {
  if (platform === 'win32') return () => yes('the sandbox of codex on native Windows was not tried');
  if (profile === 'bypass') return () => yes('danger-full-access: commands run as the user, with no sandbox');
  if (allowHooks)
    return () =>
      yes(
        'hooks were allowed: a trusted one runs outside the sandbox, also where the implementer rewrote its script',
      );
  if (profile === 'read-only')
    return () => no('every command runs in a sandbox in which nothing can be written');
  return (kind) => writeWall(kind, allowWrite);
}

function writeWall(kind: ViolationKind, allowWrite: readonly string[]): Wall {
  switch (kind) {
    case 'agent-settings':
      return yes(
        'only .codex and .agents at the top of the working directory are guarded: .claude, .delegate and scripts that a hook names stay writable',
      );
    case 'scope':
      return yes('the sandbox ends at the working directory, not at the declared scope');
    case 'read-only':
      return no('this is not a read-only run');
    case 'outside':
      return allowWrite.length > 0
        ? yes(`widened on request: ${allowWrite.join(', ')}`)
        : no(
            'commands write in the working directory and in a temp folder of the run’s own; shared temp folders are closed',
          );
    default:
      return no(
        'the git directory is read-only at the top of the working directory, from a subdirectory, and from a linked worktree; so is that of each nested repository that was there',
      );
  }
}
