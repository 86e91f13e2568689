import { UsageError } from '../core/errors.ts';
import { SESSION_ID_FORM } from '../core/ids.ts';
import type { LaunchRequest } from '../implementers/implementer.ts';
import type { ProfileName } from '../rundir/result.ts';
import { findSession, lastSession, type SessionRecord } from '../rundir/sessions.ts';
import type { DispatchRequest } from './request.ts';

/** Which session goes on, if any, and what it may do. */
export interface ChosenSession {
  resume: LaunchRequest['resume'];
  profile: ProfileName;
  warning: string | null;
}

/**
 * Which session goes on. Baton's own record of the directory comes first: the implementer's idea of "last" may be
 * another person's or another run's. Without a record it is left to a CLI that can be trusted with it.
 */
export function chooseSession(request: DispatchRequest, stateHome: string): ChosenSession {
  const implementer = request.implementer.id;
  if (request.session !== null) {
    const recorded = findSession({ stateHome, implementer, sessionId: request.session });
    if (recorded && recorded.cwd !== request.realWorkdir) {
      throw new UsageError(
        `session ${request.session} was started in ${recorded.cwd}, not in ${request.realWorkdir}`,
        {
          hint: `go on there with --cd ${JSON.stringify(recorded.cwd)}`,
        },
      );
    }
    return goOn(request, request.session, recorded);
  }
  if (!request.resumeLast) return { resume: null, profile: request.profile, warning: null };
  const last = lastSession({ stateHome, implementer, cwd: request.realWorkdir });
  // The id came from the implementer's stream: as an argument it must be no flag, such as one that skips permissions.
  if (last && SESSION_ID_FORM.test(last.sessionId)) return goOn(request, last.sessionId, last);
  if (request.implementer.capabilities.resumeUnrecorded)
    return { resume: { kind: 'last' }, profile: request.profile, warning: null };
  throw new UsageError(
    `--resume-last: baton has no record of a session of ${implementer} in ${request.realWorkdir}`,
    { hint: 'name the session with --session <id>' },
  );
}

/** With the profile that was recorded, for implementers whose sessions keep theirs. A bypass is never taken over unsaid. */
function goOn(request: DispatchRequest, id: string, recorded: SessionRecord | null): ChosenSession {
  const resume = { kind: 'session', id } as const;
  const keeps = request.implementer.capabilities.keepsProfile && !request.profileAsked;
  if (!keeps || recorded === null) return { resume, profile: request.profile, warning: null };
  if (recorded.profile !== 'bypass') return { resume, profile: recorded.profile, warning: null };
  const warning = `session ${id} had full access, and goes on without it: ask for it again with --sandbox danger-full-access`;
  return { resume, profile: 'write', warning };
}
