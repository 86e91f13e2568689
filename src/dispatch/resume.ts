import { UsageError } from '../core/errors.ts';
import type { LaunchRequest } from '../implementers/implementer.ts';
import { findSession, lastSession } from '../rundir/sessions.ts';
import type { DispatchRequest } from './request.ts';

/**
 * Which session goes on. Baton's own record of the directory comes first: the implementer's idea of "last" may be
 * another person's or another run's. Without a record it is left to the CLI.
 */
export function chooseSession(request: DispatchRequest, stateHome: string): LaunchRequest['resume'] {
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
    return { kind: 'session', id: request.session };
  }
  if (!request.resumeLast) return null;
  const last = lastSession({ stateHome, implementer, cwd: request.realWorkdir });
  return last ? { kind: 'session', id: last.sessionId } : { kind: 'last' };
}
