import { readFileSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Env } from '../../core/environment.ts';
import { messageOf } from '../../core/errors.ts';
import { type JsonObject, objectOf } from '../../core/json.ts';
import { isCodexCommand } from './codex-flags.ts';
import { CodexRecords, unknownThreadText } from './codex-records.ts';
import type { Flags } from './flags.ts';
import type { Output } from './output.ts';
import { ClaudeRecords, unknownSessionResult, unknownSessionText } from './records.ts';
import type { Expectations, Script, Shape, Step } from './script.ts';
import { sessionFolder, Sessions } from './sessions.ts';
import { Stage } from './stage.ts';

/** The exit code of a play that could not go as written: the script or its expectations are wrong, not the play. */
export const BROKEN_PLAY = 3;

export interface PlayRequest {
  script: Script;
  flags: Flags;
  /** As given on the command line, for `expect-args`. */
  args: readonly string[];
  cwd: string;
  env: Env;
  stdin: AsyncIterable<Uint8Array>;
  out: Output;
  err: Output;
  stop: AbortSignal;
  /** Called with the stage before the first step, so that signals can ask it what to do. */
  onStage: (stage: Stage) => void;
}

/** Plays a script once, as the CLI would run once, and answers the exit code. Everything is printed when it returns. */
export async function play(request: PlayRequest): Promise<number> {
  const { script, flags, cwd, err, out } = request;
  const brief = script.readBrief ? await readAll(request.stdin) : null;
  if (brief?.trim() === '') return refuse(err, 'Error: Input must be provided through stdin');
  const unmet = unmetExpectation(script.expect, brief, request);
  if (unmet !== null) {
    err.write(`baton-scripted: ${unmet}\n`);
    return BROKEN_PLAY;
  }
  const settings = readSettings(flags.settings);
  if (settings === null) return refuse(err, `Error: Settings file not found: ${flags.settings}`);

  const shape = script.shape ?? (isCodexCommand(request.args) ? 'codex' : 'claude');
  const sessions = new Sessions(sessionFolder(request.env));
  if (flags.resume !== null && !sessions.knows(flags.resume))
    return refuseSession(shape, flags.resume, request);
  // With nothing to continue the real CLI starts afresh, in silence.
  const resumed = flags.resume ?? (flags.continueLast ? sessions.lastOf(cwd) : null);
  const sessionId = script.session ?? resumed ?? randomUUID();

  const stage = new Stage({
    cwd,
    env: request.env,
    flags,
    out,
    err,
    lineEnding: script.lineEnding,
    stop: request.stop,
    records:
      shape === 'codex'
        ? new CodexRecords({ sessionId, cwd })
        : new ClaudeRecords({
            sessionId,
            cwd,
            model: flags.model ?? script.model ?? 'scripted',
            permissionMode: flags.permissionMode ?? 'default',
            tools: [...(flags.tools ?? ['Bash', 'Edit', 'Read', 'Write'])].sort(),
            version: script.version.text.split(' ')[0] ?? '',
            sandboxEnabled: sandboxWord(script, settings),
          }),
  });
  request.onStage(stage);
  const forgotten = flags.ephemeral ? null : sessions.remember(sessionId, cwd);
  if (forgotten !== null) stage.complain(`this session cannot be resumed: ${forgotten}`);
  return playSteps(stage, script, (resumed === null ? null : script.onResume) ?? script.steps);
}

async function playSteps(stage: Stage, script: Script, steps: readonly Step[]): Promise<number> {
  if (script.init && !steps[0]?.withoutInit) stage.emitInit();
  for (const [index, step] of steps.entries()) {
    if (index > 0 && script.pace > 0) await wait(script.pace);
    stage.step = step.label;
    try {
      await step.play(stage);
    } catch (error) {
      stage.complain(messageOf(error));
      return BROKEN_PLAY;
    }
    if (stage.left) return stage.exitCode;
  }
  if (!stage.closed) stage.emitResult();
  keepLastMessage(stage);
  return stage.exitCode === 0 && stage.out.lost ? 1 : stage.exitCode;
}

/** Codex writes its last message where `-o` says. */
function keepLastMessage({ flags, records }: Stage): void {
  if (flags.lastMessageFile === null || !(records instanceof CodexRecords)) return;
  writeFileSync(flags.lastMessageFile, records.lastText);
}

function refuseSession(shape: Shape, id: string, { out, err }: PlayRequest): number {
  if (shape === 'codex') return refuse(err, unknownThreadText(id));
  out.write(`${JSON.stringify(unknownSessionResult(id))}\n`);
  return refuse(err, unknownSessionText(id));
}

async function readAll(stdin: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function refuse(err: Output, text: string): number {
  err.write(`${text}\n`);
  return 1;
}

/** The first thing that is not as the script expects it, as a sentence; null when all is. */
function unmetExpectation(
  expect: Expectations,
  brief: string | null,
  { args, env }: Pick<PlayRequest, 'args' | 'env'>,
): string | null {
  if (expect.brief !== null && !(brief ?? '').includes(expect.brief)) {
    return `expect-brief: the brief does not contain ${JSON.stringify(expect.brief)}`;
  }
  if (!holdsInARow(args, expect.args)) {
    return `expect-args: ${JSON.stringify(expect.args)} do not stand in a row in ${JSON.stringify(args)}`;
  }
  for (const [name, value] of expect.env) {
    const found = env[name] ?? null;
    if (found !== value)
      return `expect-env: ${name} is ${found === null ? 'not set' : JSON.stringify(found)}`;
  }
  return null;
}

function holdsInARow(all: readonly string[], part: readonly string[]): boolean {
  return all.some((_, start) => part.every((one, index) => all[start + index] === one)) || part.length === 0;
}

/** `--settings` as the real CLI takes it: null for a missing file, which ends it; what does not parse is ignored in silence. */
function readSettings(settings: string | null): JsonObject | null {
  if (settings === null) return {};
  let text: string;
  try {
    text = readFileSync(settings, 'utf8');
  } catch {
    return null;
  }
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function sandboxWord(script: Script, settings: JsonObject): boolean | null {
  if (script.sandbox === 'unsaid') return null;
  if (script.sandbox !== 'as-asked') return script.sandbox === 'on';
  return objectOf(settings['sandbox'])['enabled'] === true;
}
