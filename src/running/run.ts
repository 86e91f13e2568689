import type { ChildProcess } from 'node:child_process';
import { dirname } from 'node:path';
import { systemClock } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { launch, type LaunchFailure } from '../process/launch.ts';
import { ProcessTree } from '../process/tree.ts';
import type { RunOutcome, RunRequest } from './contract.ts';
import { watchFreeSpace } from './disk.ts';
import { outcomeOf, outcomeWithoutProcess, stopwatch, type Exit } from './outcome.ts';
import { Output } from './output.ts';
import { openRunFiles, type RunFiles } from './run-files.ts';
import { Settling, type Ending } from './settling.ts';

/** After the last look found no leader, its exit is due at once. */
const EXIT_NEWS_MS = 1000;

/**
 * Runs one implementer: starts it, reads along, and settles when it exits or a clock, a person or a full disk ends
 * it. Then everything that came of it is ended and its logs are read to their ends. It rejects only with what a
 * callback of the request threw, and then too only after all of that. Afterwards nothing of the run holds the event loop.
 */
export async function runImplementer(request: RunRequest): Promise<RunOutcome> {
  const time = stopwatch(systemClock);
  if (request.abort.aborted) return outcomeWithoutProcess('aborted', null, time());

  const settling = new Settling(request.clocks);
  const opened = openLogs(request, settling);
  if ('failure' in opened) return outcomeWithoutProcess('not-started', opened.failure, time());
  const { files, output } = opened;

  const launched = await launch({ ...request.plan, stdio: files.stdio });
  files.close();
  if ('failure' in launched) {
    await output.finish();
    return outcomeWithoutProcess('not-started', launched.failure, time());
  }

  const { child, pid } = launched;
  const tree = new ProcessTree({ pid, runId: request.runId, logs: files.logs });
  const exit = exitOf(child);
  settling.guard(() => request.onStarted?.({ pid, birth: tree.birth }));
  settling.begin(() => output.catchUp());
  output.start();
  const ending = await endOf(request, settling, exit);

  const treeEnd = await tree.end({ termGraceMs: request.clocks.termGrace, hurry: request.hurry });
  const exited = await soon(exit);
  if (exited === null) child.unref();
  const finished = time();
  const stream = await output.finish();
  if (settling.thrown) throw settling.thrown.error;
  return outcomeOf({
    pid,
    ending,
    exit: exited,
    tree: treeEnd,
    stream,
    stopped: settling.stopped,
    time: finished,
  });
}

function openLogs(
  request: RunRequest,
  settling: Settling,
): { files: RunFiles; output: Output } | { failure: LaunchFailure } {
  let files: RunFiles | undefined;
  try {
    files = openRunFiles(request.files);
    const output = new Output(request.files, request.limits.maxRecordBytes, {
      onRecord: (record) => settling.guard(() => take(record, request, settling)),
      onGrowth: () => settling.grew(),
      onStderr: (chunk) => settling.guard(() => request.onStderr?.(chunk)),
    });
    return { files, output };
  } catch (error) {
    files?.close();
    return { failure: { code: 'run-directory', message: messageOf(error) } };
  }
}

/** What a record means for the run itself, before anyone else hears of it. */
function take(record: JsonObject, request: RunRequest, settling: Settling): void {
  settling.sawRecord();
  for (const event of request.reader.read(record)) {
    if (event.type === 'finished') settling.sawResult();
    if (event.type === 'session' && event.sandboxEnabled === false && request.plan.sandboxRequired) {
      settling.stop({
        kind: 'sandbox',
        message: 'the implementer says that its shell sandbox is off, and this run requires it',
      });
    }
    request.onEvent?.(event);
  }
}

/** Waits for the first reason to end the run. */
async function endOf(request: RunRequest, settling: Settling, exit: Promise<Exit>): Promise<Ending> {
  void exit.then(() => settling.settle({ by: 'itself' }));
  const onAbort = (): void => settling.settle({ by: 'abort' });
  request.abort.addEventListener('abort', onAbort, { once: true });
  if (request.abort.aborted) onAbort();
  const stopWatching = watchFreeSpace(dirname(request.files.events), request.limits.minFreeBytes, (message) =>
    settling.stop({ kind: 'disk', message }),
  );
  const ending = await settling.ending;
  stopWatching();
  request.abort.removeEventListener('abort', onAbort);
  return ending;
}

/** Not `close`: there are no pipes, so nobody who holds one open can keep us waiting. */
function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

/** The exit, or null when the process could not be ended and goes on without us. */
async function soon(exit: Promise<Exit>): Promise<Exit | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, EXIT_NEWS_MS, null);
  });
  const exited = await Promise.race([exit, late]);
  clearTimeout(timer);
  return exited;
}
