import * as z from 'zod';
import { parseDuration } from '../core/duration.ts';
import { BatonError } from '../core/errors.ts';
import { GATE_NAME } from './gate.ts';

/** `baton.config.json`, or the field `baton` of a `package.json`. Strict: a misspelt field would silently lose a gate. */

const noNul = /^[^\0]+$/;

const duration = z
  .string()
  .regex(/^(?=\d)(?:\d+h)?(?:\d+m)?(?:\d+s)?$/)
  .superRefine((text, context) => {
    try {
      parseDuration(text, 'timeout');
    } catch (error) {
      if (!(error instanceof BatonError)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
    }
  })
  .describe('Longest time, such as 90s, 5m or 1h30m. Default: 30m.');

const gate = z
  .strictObject({
    name: z.string().regex(GATE_NAME).describe('Unique.'),
    command: z
      .string()
      .regex(noNul)
      .max(10_000)
      .describe('For the shell: `sh -c`, on Windows `cmd /c`. Exit 0 passes.'),
    cwd: z
      .string()
      .regex(/^(?!\/)(?!.*\\)(?!(?:.*\/)?\.\.(?:\/|$))[^\0]+$/)
      .optional()
      .describe('Below the top of the working tree, / between segments. Default: the top.'),
    timeout: duration.optional(),
    env: z
      .record(
        z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/),
        z.union([z.string().regex(/^[^\0]*$/), z.literal(true)]),
      )
      .optional()
      .describe(
        'Variables of its own. true passes on one that would be withheld since it looks like a credential.',
      ),
    when: z
      .array(z.string().regex(/^(?!!(?!\())[^\0]+$/))
      .min(1)
      .optional()
      .describe(
        'Globs below the top: it runs only where the run changed a path that one of them matches. None takes away.',
      ),
  })
  .meta({ title: 'A gate: a command of the project that must pass' });

export const configSchema = z
  .strictObject({
    $schema: z.string().optional(),
    gates: z.array(gate).max(100).optional(),
  })
  .meta({
    title: "baton's configuration of a project",
    description:
      '`baton.config.json` at the top of a repository (comments allowed), or the field `baton` of its package.json.',
  });
