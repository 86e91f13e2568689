import * as z from 'zod';
import { LIVE_SCHEMA, type LiveState } from './live.ts';

/** The contract of `run.json`, for its JSON Schema. A dispatch never loads this file. */

const processIdentity = z
  .strictObject({
    pid: z.int().positive(),
    birth: z
      .string()
      .nullable()
      .describe('When it was born, as this platform tells it: compare, do not parse. Null: it cannot say.'),
  })
  .meta({ title: 'A process, told apart from a later one with the same id' });

export const liveSchema = z
  .strictObject({
    schema: z.literal(LIVE_SCHEMA),
    runId: z.string().min(1),
    phase: z
      .enum(['starting', 'preflight', 'before', 'running', 'settling', 'after', 'finished'])
      .describe('Where the run is, in this order.'),
    supervisor: processIdentity.describe('The baton process that watches the run.'),
    implementer: processIdentity.nullable().describe('The agent CLI; null until it was launched.'),
    treeTop: z.string().min(1).describe('The working tree, or the working directory outside git.'),
    startedAt: z.iso.datetime(),
    heartbeat: z.iso.datetime().describe('When the supervisor last wrote this file.'),
  })
  .meta({ title: 'A run that is under way', description: '`run.json` of a baton run.' });

/** Compiles only while the schema and the interface of `live.ts` say the same, both ways. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
true satisfies Same<z.infer<typeof liveSchema>, LiveState>;
