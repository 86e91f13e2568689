import * as z from 'zod';
import { LANDING_SCHEMA, type LandingRecord } from './record.ts';

/** The contract of `landing.json`, for its JSON Schema. No command loads this file. */

const common = {
  schema: z.literal(LANDING_SCHEMA),
  at: z.iso.datetime(),
  runIds: z.array(z.string().min(1)).min(1).describe('The run, or the runs of a chain, oldest first.'),
};
const paths = z.array(z.string().min(1));
const objectId = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/);

const hookRun = z.strictObject({
  name: z.enum(['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit']),
  code: z.int(),
  output: z.string().describe('What it printed, on both streams.'),
});

const gates = z.strictObject({
  state: z.enum(['passed', 'failed', 'could-not-run', 'not-run', 'none-configured']),
  tree: objectId.nullable().describe('The tree that they ran on.'),
  bound: z
    .enum(['landed-tree', 'working-tree-only'])
    .nullable()
    .describe('Whether that is the tree of the commit, or only of the working tree with other edits in it.'),
  without: z.string().nullable().describe('Why they were passed over.'),
});

const part = z.strictObject({
  ...common,
  state: z.literal('landed'),
  commit: objectId,
  parent: objectId.nullable().describe('Null for the first commit of all.'),
  takenCommits: z.array(objectId).describe('Commits of the implementer whose place it took, newest first.'),
  ref: z.string().min(1).nullable().describe('The branch; null for a detached HEAD.'),
  tree: objectId,
  message: z.string(),
  changes: z.array(z.strictObject({ status: z.string(), path: z.string().min(1) })),
  only: z.array(z.string()).describe('Only these paths were asked for; empty for all.'),
  takenWhole: z.array(z.string()),
  includedEdits: paths.describe("The orchestrator's own edits since the run that are part of it."),
  hookRewrote: paths.describe('Paths that a hook rewrote, with consent.'),
  hooks: z.array(hookRun).describe('Those that printed something.'),
  gates,
  acceptedViolations: z.array(z.string()).describe('Kinds of violations, accepted by name.'),
});

const earlier = z
  .array(part.meta({ id: 'landedPart', title: 'A landing by itself' }))
  .exactOptional()
  .describe('Commits with other parts of the runs that stand, oldest first; absent where there are none.');

const landed = part.extend({ earlier }).meta({ title: 'A commit that holds what the runs changed' });

const discarded = z
  .strictObject({
    ...common,
    state: z.literal('discarded'),
    before: objectId.describe('The working tree before, as a tree object in the run.'),
    after: objectId,
    paths,
    earlier,
  })
  .meta({ title: 'What the runs changed was taken out of the working tree' });

const undone = z
  .strictObject({
    ...common,
    state: z.literal('undone'),
    undid: z.discriminatedUnion('state', [landed, discarded]),
  })
  .meta({ title: 'A landing, or a discard, that was taken back' });

export const landingSchema = z.discriminatedUnion('state', [landed, discarded, undone]).meta({
  title: 'What became of a run',
  description: '`landing.json` of a baton run.',
});

/** Compiles only while the schema and the interfaces of `record.ts` say the same, both ways. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
true satisfies Same<z.infer<typeof landingSchema>, LandingRecord>;
