import { UsageError } from '../core/errors.ts';
import { readBinding } from '../lanes/binding.ts';
import { DIAL_NAMES, type Lane } from '../lanes/lane.ts';
import { requireDriven, requireSame } from '../lanes/resolve.ts';
import type { LanedOptions } from './lane.ts';

/**
 * Puts a lane's dials where no flag said anything. What the run may do is one dial, whatever the flag is called that
 * says it: with `--dangerously-skip-permissions` a read-only lane is not one any more, and with `--read-only` a lane's
 * sandbox is not asked for. Throws a UsageError for a lane of another implementer, or one that does not hold.
 */
export function layered(options: LanedOptions['options'], lane: Lane): LanedOptions {
  requireDriven(lane);
  requireSame(lane, options.implementer);
  const { problem } = readBinding({ implementer: lane.implementer, ...lane.dials });
  if (problem !== null)
    throw new UsageError(`--lane ${JSON.stringify(lane.name)} cannot be used: ${problem}`);
  const { model, effort, timeout, readOnly, sandbox } = lane.dials;
  const open = !(options.readOnly || options.dangerouslySkipPermissions || options.sandbox !== undefined);
  const given = {
    ...(model !== undefined && options.model === undefined && { model }),
    ...(effort !== undefined && options.effort === undefined && { effort }),
    ...(timeout !== undefined && options.timeout === undefined && { timeout }),
    ...(readOnly && open && { readOnly }),
    ...(sandbox !== undefined && open && { sandbox }),
  };
  return {
    options: { ...options, implementer: lane.implementer, ...given },
    lane: {
      name: lane.name,
      source: lane.source,
      dials: DIAL_NAMES.filter((dial) => Object.hasOwn(given, dial)),
    },
  };
}
