import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../../src/core/environment.ts';
import type {
  AfterRequest,
  EvidenceReport,
  Observation,
  ObservationRequest,
} from '../../src/evidence/contract.ts';
import { observe } from '../../src/evidence/observe.ts';
import { locateRepository } from '../../src/git/locate.ts';
import { temporaryFolder } from '../support/temporary.ts';

export interface WatchOptions extends Partial<Omit<ObservationRequest, 'limits'>> {
  maxUntrackedBytes?: number;
  gitTimeoutMs?: number;
  ignored?: ObservationRequest['limits']['ignored'];
  killed?: boolean;
  gaps?: string[];
  possible?: AfterRequest['possible'];
}

/** An environment with nothing of the machine's own configuration in it. */
export function plainEnv(home: string = temporaryFolder(), extra: Env = {}): Env {
  return { PATH: process.env['PATH'] ?? '', HOME: home, LANG: 'C.UTF-8', GIT_CONFIG_NOSYSTEM: '1', ...extra };
}

/** The first look at `dir`, and what `observe` needs for it. */
export async function look(
  dir: string,
  options: WatchOptions = {},
): Promise<{ first: Observation; runDir: string }> {
  const env = options.env ?? plainEnv();
  const runDir = options.runDir ?? join(temporaryFolder(), 'run');
  mkdirSync(runDir, { recursive: true });
  const first = await observe({
    repository: options.repository ?? (await locateRepository(dir, env, 20_000)),
    cwd: options.cwd ?? dir,
    runDir,
    profile: options.profile ?? 'write',
    touch: options.touch ?? [],
    env,
    limits: {
      maxUntrackedBytes: options.maxUntrackedBytes ?? 50 * 1024 * 1024,
      gitTimeoutMs: options.gitTimeoutMs ?? 60_000,
      ...(options.ignored && { ignored: options.ignored }),
    },
    ...(options.signal && { signal: options.signal }),
  });
  return { first, runDir };
}

/** Looks, lets `act` be the implementer, and looks again. */
export async function watch(
  dir: string,
  act: () => unknown,
  options: WatchOptions = {},
): Promise<EvidenceReport> {
  const { first } = await look(dir, options);
  await act();
  return first.after({
    killed: options.killed ?? false,
    possible: options.possible ?? (() => true),
    gaps: options.gaps ?? [],
  });
}

/** The changes as short lines such as `modified a.txt +1 -0`, a path that was dirty before marked with `*`. */
export function lines({ evidence }: EvidenceReport): string[] {
  return evidence.changes.map(({ kind, path, from, added, deleted, preexisting }) =>
    [
      kind,
      from === undefined ? path : `${from} => ${path}`,
      added === null ? 'binary' : `+${added} -${deleted}`,
      ...(preexisting ? ['*'] : []),
    ].join(' '),
  );
}

export function patchOf(report: EvidenceReport): string {
  if (report.patchPath === null) throw new Error('there is no patch');
  return readFileSync(report.patchPath, 'latin1');
}
