import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RUN_MARKER } from '../../src/core/environment.ts';
import { newRunId } from '../../src/core/ids.ts';
import { objectOf, stringOf, type JsonObject } from '../../src/core/json.ts';
import type { AgentClaim, AgentEvent, EventReader } from '../../src/implementers/events.ts';
import type { RunOutcome, RunRequest } from '../../src/running/contract.ts';
import { runImplementer } from '../../src/running/run.ts';
import { surroundings } from '../support/environment.ts';

/** As little of a claude-shaped stream as a run needs to know. */
class SmallReader implements EventReader {
  #claim: AgentClaim['claim'] = 'none';
  #text = '';

  read(record: JsonObject): AgentEvent[] {
    switch (record['type']) {
      case 'system': {
        const enabled = record['sandbox_enabled'];
        const sandboxEnabled = typeof enabled === 'boolean' ? enabled : null;
        const sessionId = stringOf(record['session_id']) ?? '';
        return [
          { type: 'session', sessionId, model: null, permissionMode: null, version: null, sandboxEnabled },
        ];
      }
      case 'result': {
        this.#claim = record['is_error'] === true ? 'error' : 'success';
        this.#text = stringOf(record['result']) ?? '';
        return [{ type: 'finished', claim: this.#claim, reason: null, text: this.#text }];
      }
      case 'assistant':
        return [
          { type: 'text', text: JSON.stringify(objectOf(record['message'])['content']), subagent: false },
        ];
      default:
        return [{ type: 'unknown', record: JSON.stringify(record) }];
    }
  }

  claim(): AgentClaim {
    return {
      claim: this.#claim,
      subtype: null,
      reason: null,
      retryable: null,
      retryAt: null,
      errorText: null,
      sessionId: null,
      model: null,
      permissionMode: null,
      version: null,
      sandboxEnabled: null,
      finalText: this.#text,
      finalTextSource: 'result',
      numTurns: null,
      usage: null,
      cost: { usd: null, inputTokens: null, outputTokens: null, cachedTokens: null, byModel: {} },
      denials: [],
      retries: 0,
      toolCalls: 0,
      subagents: 0,
    };
  }
}

export interface Trial {
  outcome: RunOutcome;
  claim: AgentClaim;
  events: AgentEvent[];
  /** The logs as they are on disk, and the stderr that was reported while it grew. */
  eventsLog: Buffer;
  stderrLog: Buffer;
  stderrSeen: Buffer;
  runId: string;
}

export interface TrialOptions {
  brief?: string | Buffer;
  clocks?: Partial<RunRequest['clocks']>;
  limits?: Partial<RunRequest['limits']>;
  plan?: Partial<RunRequest['plan']>;
  abort?: AbortSignal;
  hurry?: AbortSignal;
  onEvent?: (event: AgentEvent) => void;
  onStarted?: (
    process: { pid: number; birth: string | null },
    trial: { runDir: string; runId: string },
  ) => void;
}

/** Runs a `/bin/sh` script as the implementer. `$RUN` is the run directory. */
export function tryShell(script: string, options: TrialOptions = {}): Promise<Trial> {
  return tryCommand('/bin/sh', ['-c', script], options);
}

/** Runs a Node program as the implementer. */
export function tryNode(code: string, options: TrialOptions = {}): Promise<Trial> {
  return tryCommand(process.execPath, ['-e', code], options);
}

async function tryCommand(file: string, args: string[], options: TrialOptions): Promise<Trial> {
  const where = surroundings();
  const runDir = join(where.root, 'run');
  mkdirSync(runDir);
  const files = {
    brief: join(runDir, 'brief.txt'),
    events: join(runDir, 'events.jsonl'),
    stderr: join(runDir, 'stderr.txt'),
  };
  writeFileSync(files.brief, options.brief ?? 'do it');
  writeFileSync(files.events, '');
  writeFileSync(files.stderr, '');
  const runId = newRunId();
  const reader = new SmallReader();
  const events: AgentEvent[] = [];
  const stderrSeen: Uint8Array[] = [];
  const outcome = await runImplementer({
    plan: {
      file,
      args,
      env: { ...where.env, RUN: runDir, [RUN_MARKER]: runId },
      cwd: where.root,
      artifacts: [],
      toolSurface: [],
      permissionMode: 'acceptEdits',
      shellSandbox: 'strict',
      sandboxRequired: false,
      ...options.plan,
    },
    runId,
    files,
    reader,
    clocks: {
      wall: null,
      firstEvent: null,
      idle: null,
      completionGrace: 30_000,
      termGrace: 5000,
      ...options.clocks,
    },
    limits: { maxRecordBytes: 64 << 20, minFreeBytes: 0, ...options.limits },
    abort: options.abort ?? new AbortController().signal,
    hurry: options.hurry ?? new AbortController().signal,
    onEvent: (event) => {
      events.push(event);
      options.onEvent?.(event);
    },
    onStderr: (chunk) => stderrSeen.push(chunk),
    onStarted: (process) => options.onStarted?.(process, { runDir, runId }),
  });
  return {
    outcome,
    claim: reader.claim(),
    events,
    eventsLog: readIfThere(files.events),
    stderrLog: readIfThere(files.stderr),
    stderrSeen: Buffer.concat(stderrSeen),
    runId,
  };
}

function readIfThere(path: string): Buffer {
  return existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
}
