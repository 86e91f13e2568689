import { messageOf } from '../core/errors.ts';
import type { Implementer } from '../implementers/implementer.ts';
import type { Check, InspectRequest } from '../implementers/inspection.ts';
import { DRIVEN_KEYS, drivenBy } from '../lanes/lane.ts';
import type { Examined } from './doctor-check.ts';

/** The CLIs, and which of them could do the work. */
export interface ExaminedClis {
  checks: Examined[];
  /** Keys without a problem. */
  usable: string[];
}

/** Looks at every CLI that baton drives, side by side. Only the chosen one can keep a dispatch from starting. */
export async function cliChecks(chosen: Implementer, request: InspectRequest): Promise<ExaminedClis> {
  const others = DRIVEN_KEYS.filter((key) => key !== chosen.id).flatMap((key) => drivenBy(key) ?? []);
  const looked = await Promise.all([chosen, ...others].map((one) => look(one, request)));
  return {
    checks: looked.flatMap(({ id, checks }) =>
      checks.map((check) => ({ check: named(id, id === chosen.id ? check : lighter(check)) })),
    ),
    usable: looked.flatMap(({ id, checks }) => (checks.some(isProblem) ? [] : id)),
  };
}

async function look(
  implementer: Implementer,
  request: InspectRequest,
): Promise<{ id: string; checks: Check[] }> {
  const { id } = implementer;
  try {
    const { executable, checks } = await implementer.inspect(request);
    const absent = executable.state === 'not-installed';
    return { id, checks: absent ? checks.map((check) => ({ ...check, id: 'not-installed' })) : checks };
  } catch (error) {
    const remedy = 'export TMPDIR=<a folder that can be written>';
    return { id, checks: [{ id: 'executable', state: 'problem', text: messageOf(error), remedy }] };
  }
}

function named(implementer: string, check: Check): Check {
  return { ...check, id: `${implementer}.${check.id === 'not-installed' ? 'executable' : check.id}` };
}

/** What another implementer than the chosen one lacks; and nobody has to have all of them. */
function lighter(check: Check): Check {
  if (check.id === 'not-installed')
    return { ...check, state: 'ok', text: `${check.text} (it is not needed for this)` };
  return isProblem(check) ? { ...check, state: 'warning' } : check;
}

function isProblem({ state }: Check): boolean {
  return state === 'problem';
}
