import type { ViolationKind } from '../../rundir/result.ts';
import type { Containment, ContainmentLine, LaunchRequest } from '../implementer.ts';

type ContainmentRequest = Pick<LaunchRequest, 'profile' | 'platform' | 'allowHooks' | 'allowWrite'>;

/** Everything that lies in a git directory: one wall holds for all of it. */
const IN_GIT_DIR = ['commit', 'ref', 'stash', 'index', 'hooks', 'git-config'] as const;
const ELSEWHERE = ['agent-settings', 'scope', 'read-only', 'outside'] as const;

/**
 * What a run of this profile can still write. Each line was tried with the real CLI on Linux; macOS has the same
 * settings and another kernel mechanism; Windows has no shell sandbox at all.
 */
export function claudeContainment(request: ContainmentRequest): Containment {
  const [git, elsewhere] = walls(request);
  return {
    lines: [
      ...IN_GIT_DIR.map((kind) => ({ kind, ...git })),
      ...ELSEWHERE.map((kind) => ({ kind, ...elsewhere[kind] })),
    ],
  };
}

type Wall = Omit<ContainmentLine, 'kind'>;
type Elsewhere = { [kind in Extract<ViolationKind, (typeof ELSEWHERE)[number]>]: Wall };

function walls(request: ContainmentRequest): [Wall, Elsewhere] {
  if (request.profile === 'read-only') return readOnlyWalls(request);
  if (request.platform === 'win32')
    return openWalls('native Windows has no shell sandbox: only deny rules stand in the way');
  if (request.allowHooks) {
    return openWalls(
      'hooks were allowed: they run outside the sandbox, and the implementer can edit their scripts',
    );
  }
  return request.profile === 'bypass' ? bypassWalls() : writeWalls(request);
}

const no = (why: string): Wall => ({ possible: false, why });
const yes = (why: string): Wall => ({ possible: true, why });

function everywhere(wall: Wall): [Wall, Elsewhere] {
  return [wall, { 'agent-settings': wall, scope: wall, 'read-only': wall, outside: wall }];
}

function openWalls(why: string): [Wall, Elsewhere] {
  return everywhere(yes(why));
}

function readOnlyWalls({ allowHooks }: ContainmentRequest): [Wall, Elsewhere] {
  if (allowHooks) return everywhere(yes('hooks were allowed: they run as the user, with no sandbox'));
  return everywhere(
    no('the implementer has Read, Glob and Grep, and hooks are off: nothing that it can call writes'),
  );
}

function writeWalls({ allowWrite }: ContainmentRequest): [Wall, Elsewhere] {
  return [
    GIT_WALL,
    {
      ...OPEN_INSIDE,
      outside:
        allowWrite.length > 0
          ? yes(`widened on request: ${allowWrite.join(', ')}`)
          : no('the shell sandbox and the permission rules end at the working directory'),
    },
  ];
}

/** With permissions skipped the shell is still sandboxed, and `ask` rules still stop Write and Edit in git directories. */
function bypassWalls(): [Wall, Elsewhere] {
  const outside = yes(
    'Write and Edit are not sandboxed and, with permissions skipped, go wherever the user may',
  );
  return [GIT_WALL, { ...OPEN_INSIDE, outside }];
}

const GIT_WALL = no(
  'the shell sandbox keeps git directories read-only, and Write and Edit are refused in them; a new nested repository is its own',
);

const OPEN_INSIDE = {
  'agent-settings': yes(
    "only claude's own settings are guarded, and in a bypass run not even they: .codex, .agents, .delegate and scripts that a hook names stay writable",
  ),
  scope: yes('the sandbox ends at the working directory, not at the declared scope'),
  'read-only': no('this is not a read-only run'),
};
