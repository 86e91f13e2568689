import * as z from 'zod';
import { RESULT_SCHEMA, type Result } from './result.ts';

/**
 * The contract of `result.json` as zod schemas: strict, for what baton writes, and the source of the JSON Schema in
 * `docs/contracts/`. A dispatch never loads this file: zod would double its start-up.
 */

const whole = z.int().nonnegative();
const instant = z.iso.datetime();
/** As the vendor printed it: a hostile or a new CLI may print any number, and the result is owed all the same. */
const vendorNumber = z.number().nullable();
const objectId = z
  .string()
  .regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/)
  .nullable();

const leftProcess = z
  .strictObject({
    pid: z.int().positive(),
    command: z.string().max(200).describe('Its command line or name, cut to 200 characters.'),
  })
  .meta({ title: 'A process that outlived the implementer' });

const processBlock = z
  .strictObject({
    pid: z.int().positive().nullable().describe('Null where nothing was launched.'),
    exit: z
      .enum(['code', 'signal', 'timeout', 'aborted', 'unobserved', 'not-started'])
      .describe('What ended the process.'),
    timeoutKind: z
      .enum(['first-event', 'idle', 'wall'])
      .nullable()
      .describe('Which clock fired; null where none did.'),
    endedAfterResult: z
      .boolean()
      .describe('Baton ended it in the completion grace, after its terminal event: the exit was not judged.'),
    swept: z.array(leftProcess).describe('Processes that were still there at the end, and were ended.'),
    survivors: z.array(leftProcess).describe('Processes that could not be ended.'),
    durationMs: z.number().nonnegative().describe('Milliseconds of the monotonic clock.'),
    clockGapMs: z
      .number()
      .describe('How far wall time ran away from monotonic time: a suspend, or a clock that was set.'),
  })
  .meta({ title: 'How the process ended' });

const denial = z
  .strictObject({
    tool: z.string(),
    input: z.unknown().describe("The tool's input, as the implementer printed it."),
    reason: z.string().nullable(),
  })
  .meta({ title: 'Something the implementer was not allowed to do' });

const agentReport = z
  .strictObject({
    changed: z.string().nullable().describe('What changed and why, as written.'),
    files: z.array(z.strictObject({ path: z.string(), note: z.string() })).nullable(),
    gates: z
      .array(
        z.strictObject({
          command: z.string(),
          outcome: z.enum(['passed', 'failed', 'not-run', 'unclear']),
          note: z.string().describe('What it says of it, as written.'),
        }),
      )
      .nullable(),
    deviations: z.array(z.string()).nullable(),
    questions: z.array(z.string()).nullable(),
  })
  .meta({
    title: "The parts of the implementer's own report",
    description: 'Null: there is no such part. An empty list: it says that there is none.',
  });

const agentBlock = z
  .strictObject({
    claim: z.enum(['success', 'error', 'none']).describe('`none`: it ended without saying.'),
    reason: z
      .enum([
        'usage-limit',
        'rate-limit',
        'overloaded',
        'auth',
        'max-turns',
        'budget',
        'context-overflow',
        'session-not-found',
        'needs-input',
        'sandbox-unavailable',
        'api-error',
        'other',
      ])
      .nullable()
      .describe('Why it failed; null where it did not, or did not say.'),
    retryable: z.boolean().nullable().describe('Whether the same brief may succeed later; null: not known.'),
    retryAt: z.iso
      .datetime({ offset: true })
      .nullable()
      .describe('When to try again, where the implementer said so.'),
    denials: z.array(denial),
    retries: whole.describe("Retries of the implementer's own calls to its service."),
    structuredOutput: z.unknown().optional().describe('Present where the implementer printed one.'),
    finalTextSource: z
      .enum(['result', 'assistant', 'none'])
      .describe(
        'Where `finalMessage` is from: the terminal event, the last text of the main thread, or nowhere.',
      ),
    resumedFrom: z.string().nullable().describe('The session that was asked for; null for a fresh one.'),
    model: z.string().nullable().describe('The model that the implementer says it used.'),
    toolCalls: whole,
    subagents: whole.describe('Agents that the implementer itself started.'),
    report: agentReport.exactOptional().describe('Present where the final text has the parts of a report.'),
  })
  .meta({ title: 'What the implementer says about itself' });

const change = z
  .strictObject({
    path: z
      .string()
      .min(1)
      .describe(
        'Relative to the top of the working tree, `/` between segments; bytes that are no UTF-8 are `\\xNN`.',
      ),
    from: z.string().min(1).exactOptional().describe('The old path of a rename.'),
    kind: z.enum(['added', 'modified', 'deleted', 'renamed', 'mode', 'type']),
    added: whole.nullable().describe('Lines; null for binary content.'),
    deleted: whole.nullable().describe('Lines; null for binary content.'),
    preexisting: z.boolean().describe('The path already differed from HEAD before the run.'),
  })
  .meta({ title: 'One path that the run changed' });

const violation = z
  .strictObject({
    kind: z.enum([
      'commit',
      'ref',
      'stash',
      'index',
      'hooks',
      'git-config',
      'agent-settings',
      'scope',
      'read-only',
      'outside',
    ]),
    detail: z
      .string()
      .min(1)
      .describe('A sentence for a person, with the ref, file or setting and both values.'),
    actor: z
      .enum(['implementer-possible', 'excluded-by-sandbox'])
      .describe('Whether the implementer could have done it.'),
  })
  .meta({ title: 'Something that a run must not do, and that was seen to have happened' });

const evidenceBlock = z
  .strictObject({
    tree: z
      .enum(['changed', 'unchanged', 'unknown'])
      .describe('`unknown` is never to be read as unchanged: `coverage.gaps` says why.'),
    beforeTree: objectId.describe("A git tree in the run's own object store; null where none could be made."),
    afterTree: objectId.describe("A git tree in the run's own object store; null where none could be made."),
    baseCommit: objectId.describe('HEAD before the run; null on an unborn branch or outside git.'),
    changes: z.array(change),
    violations: z.array(violation).describe('They never change `status` or `exitCode`.'),
    notices: z
      .array(z.string())
      .describe('Facts that are no violation, such as a remote-tracking ref that moved.'),
    coverage: z
      .strictObject({
        complete: z.boolean().describe('Everything that was to be seen was seen.'),
        gaps: z.array(z.string()).describe('What was not seen, and why, a sentence each.'),
        ignored: z.enum(['scanned', 'not-scanned']).describe('Whether ignored files were looked at.'),
      })
      .meta({ title: 'How much of it baton could see' }),
  })
  .meta({ title: 'What baton itself observed' });

const streamBlock = z
  .strictObject({
    bytes: whole.describe('Bytes of `events.jsonl` that were read.'),
    events: whole.describe('Records that were understood as JSON objects.'),
    unreadable: whole.describe('Lines that were no JSON object.'),
    oversize: whole.describe('Records above the size limit, which were skipped.'),
    truncated: z.boolean().describe('The log became shorter while it was read: somebody wrote to it.'),
  })
  .meta({ title: "The implementer's stdout" });

const amounts = {
  usd: vendorNumber.describe('US dollars; null where the implementer names no price.'),
  inputTokens: vendorNumber,
  outputTokens: vendorNumber,
  cachedTokens: vendorNumber.describe('Input tokens that were read from a cache.'),
};

const costBlock = z
  .strictObject({ ...amounts, byModel: z.record(z.string(), z.strictObject(amounts)) })
  .meta({ title: 'What it cost, as the implementer says' });

export const resultSchema = z
  .strictObject({
    schema: z.literal(RESULT_SCHEMA),
    tool: z
      .string()
      .exactOptional()
      .describe('`claude`; absent for implementers whose older relay had no such field.'),
    runId: z.string().min(1),
    implementer: z.string().min(1).describe('Which agent CLI it was.'),
    batonVersion: z.string().min(1),
    status: z
      .enum([
        'completed',
        'failed',
        'timeout',
        'aborted',
        'claude_unavailable',
        'codex_unavailable',
        'scripted_unavailable',
      ])
      .describe('`completed` needs exit 0 and a terminal event that is not an error.'),
    exitCode: whole.describe('The exit code of the dispatch, see exit-codes.md.'),
    signal: z.string().nullable().describe('The signal that ended the implementer, such as `SIGKILL`.'),
    error: z.string().min(1).exactOptional().describe('Why it failed, in a sentence.'),
    stderrTail: z
      .array(z.string())
      .max(20)
      .exactOptional()
      .describe('The last lines of stderr that are not blank; on every ending but `completed`.'),

    claudeVersion: z
      .string()
      .nullable()
      .exactOptional()
      .describe('`unknown` where the binary answered abnormally; null where there is none.'),
    permissionMode: z.string().exactOptional().describe("The CLI's own word, as its session says."),
    sessionId: z
      .string()
      .nullable()
      .exactOptional()
      .describe('What to resume; the asked one until the stream says otherwise.'),
    resultSubtype: z.string().nullable().exactOptional().describe("The CLI's own word for the ending."),

    codexVersion: z
      .string()
      .nullable()
      .exactOptional()
      .describe('`unknown` where the binary answered abnormally; null where there is none.'),
    threadId: z
      .string()
      .nullable()
      .exactOptional()
      .describe('What to resume; the asked one until the stream says otherwise.'),
    session: z.string().nullable().exactOptional().describe('The value of `--session`; null without it.'),
    sandbox: z
      .enum(['read-only', 'workspace-write', 'danger-full-access'])
      .exactOptional()
      .describe('The mode of the CLI’s own sandbox that the run was started with.'),
    cleanEnv: z
      .boolean()
      .exactOptional()
      .describe('It inherited no variables but the few that a program needs, and those of `keepEnv`.'),
    keepEnv: z.array(z.string()).exactOptional().describe('Names of variables, never their values.'),

    finalMessage: z.string().describe('The final text; empty where there is none.'),
    numTurns: vendorNumber.describe('Turns, as the implementer counts them.'),
    usage: z.unknown().describe("The vendor's usage object, untouched; null where there is none."),
    totalCostUsd: vendorNumber.describe('US dollars; null where the implementer names no price.'),
    touchedFiles: z
      .array(z.string())
      .nullable()
      .describe('`git status --porcelain` lines at the end; `[]` is clean, null is that git could not say.'),
    readOnlyViolation: z
      .boolean()
      .nullable()
      .exactOptional()
      .describe(
        'Read-only runs only: true is a proven write, false is full coverage and none, null is neither.',
      ),

    workdir: z.string().min(1),
    lane: z.string().nullable(),
    laneSource: z.enum(['global', 'project']).nullable(),
    laneDials: z
      .array(z.string())
      .exactOptional()
      .describe('The dials that the lane decided, by name; absent without a lane.'),
    model: z.string().nullable().describe('As asked; `agent.model` is the one that was used.'),
    effort: z.string().nullable(),
    maxTurns: z.int().positive().nullable(),
    maxBudgetUsd: z.number().positive().nullable(),
    autocompact: z.string().exactOptional().describe('Present only where it was asked for.'),
    timeout: z.string().nullable().describe('As written, such as `1h30m`.'),
    readOnly: z.boolean(),
    resumed: z.boolean().describe('Either resume flag was given.'),
    resumeLast: z.boolean(),
    parent: z
      .string()
      .exactOptional()
      .describe('The run that this one reworks; absent where it reworks none.'),
    toolSurface: z.array(z.string()),
    shellSandbox: z.enum(['strict', 'not-applicable', 'unsupported-on-native-windows']),
    dangerouslySkipPermissions: z.boolean(),
    widened: z
      .strictObject({ hooks: z.boolean(), write: z.array(z.string()), domains: z.array(z.string()) })
      .exactOptional()
      .describe('What was opened on request; absent where nothing was.'),

    startedAt: instant,
    finishedAt: instant,
    briefPath: z.string().min(1),
    eventsPath: z.string().min(1),
    finalPath: z.string().min(1),
    stderrPath: z.string().min(1),
    settingsPath: z
      .string()
      .min(1)
      .nullable()
      .describe('`profile.json`; null where the implementer needs none.'),
    resultPath: z.string().min(1).exactOptional(),
    patchPath: z
      .string()
      .min(1)
      .nullable()
      .exactOptional()
      .describe('`changes.patch`; null where there was no repository to compare.'),

    process: processBlock,
    agent: agentBlock,
    evidence: evidenceBlock,
    stream: streamBlock,
    cost: costBlock,
  })
  .meta({ title: 'A finished run', description: '`result.json` of a baton run.' });

/** Compiles only while the schema and the interfaces of `result.ts` say the same, both ways. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
true satisfies Same<z.infer<typeof resultSchema>, Result>;
