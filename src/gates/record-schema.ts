import * as z from 'zod';
import { GATES_SCHEMA, type GatesRecord } from './gate.ts';

/** The contract of `gates.json`. */

const treeId = z
  .string()
  .regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/)
  .nullable();

const gateResult = z
  .strictObject({
    name: z.string().min(1),
    command: z.string().min(1),
    cwd: z.string().min(1).describe('Below the top of the working tree.'),
    source: z.enum(['config', 'flag']).describe('config: of the repository. flag: --gate.'),
    state: z
      .enum(['passed', 'failed', 'could-not-run', 'not-run'])
      .describe('could-not-run is no verdict about the work: a program or its dependencies are missing.'),
    applies: z
      .boolean()
      .describe(
        'False where its `when` matches nothing that changed: then it is not-run, and nobody misses it.',
      ),
    reason: z.string().nullable().describe('A sentence; null for a gate that passed.'),
    exitCode: z.int().nullable().describe('Null where it did not exit by itself.'),
    signal: z.string().nullable(),
    timedOut: z.boolean(),
    durationMs: z.number().nonnegative(),
    output: z.string().nullable().describe('File with all that it printed, relative to the run directory.'),
    outputBytes: z.int().nonnegative(),
    tree: treeId.describe('The tree that it ran on; null: not known, or it did not run.'),
    changedTree: z
      .array(z.string())
      .nullable()
      .describe('Paths that it changed in the working tree; null: not known.'),
    left: z.array(z.string()).describe('Processes that it left behind, and that were ended: `pid command`.'),
    survivors: z.array(z.string()).describe('Processes that could not be ended.'),
    withheld: z.array(z.string()).describe('Names of variables that it did not get.'),
    since: z
      .enum(['new', 'already-there', 'mended'])
      .nullable()
      .describe(
        'Against the gates before the run; null without that look, or where there is nothing to say.',
      ),
  })
  .meta({ title: 'A gate, and what became of it' });

export const gatesSchema = z
  .strictObject({
    schema: z.literal(GATES_SCHEMA),
    runId: z.string().min(1),
    config: z
      .strictObject({ path: z.string(), hash: z.string(), approved: z.boolean() })
      .nullable()
      .describe('Where the gates of the repository stood before the run; null where none did.'),
    tree: treeId.describe('The working tree when the first gate began.'),
    treeIs: z
      .enum(['after', 'other', 'unknown'])
      .describe('after: exactly what the run left. other: something was changed since.'),
    decidedBy: z
      .array(z.string())
      .describe('Paths that the run changed and that decide about what the gates do.'),
    gates: z.array(gateResult),
    baseline: z
      .array(gateResult)
      .nullable()
      .describe('The same gates before the run; null where nobody asked.'),
    gaps: z.array(z.string()).describe('Why something is not known.'),
    startedAt: z.iso
      .datetime()
      .nullable()
      .describe('Null where only the look before the run was taken: then `gates` is empty.'),
    finishedAt: z.iso.datetime().nullable(),
  })
  .meta({ title: 'The gates of a run', description: '`gates.json` of a baton run.' });

/** Compiles only while the schema and the interfaces of `gate.ts` say the same, both ways. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
true satisfies Same<z.infer<typeof gatesSchema>, GatesRecord>;
