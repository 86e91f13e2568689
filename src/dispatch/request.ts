import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseDuration } from '../core/duration.ts';
import { SESSION_ID_FORM } from '../core/ids.ts';
import { copyEnv, type Env } from '../core/environment.ts';
import { messageOf, UsageError } from '../core/errors.ts';
import type { Implementer } from '../implementers/implementer.ts';
import type { ProfileName } from '../rundir/result.ts';
import {
  checkBrief,
  checkDirectory,
  checkEffort,
  checkModel,
  chooseImplementer,
  matching,
  refuseRecursion,
} from '../running/checks.ts';
import { checkKeepEnv } from './clean-environment.ts';
import type { AppliedLane, LanedOptions } from './lane.ts';
import { DEFAULT_LIMITS, type Limits } from './options.ts';
import { chooseProfile } from './profile.ts';

/** Options that hold: every value checked, every default filled in. Nothing is on disk yet. */
export interface DispatchRequest {
  brief: Uint8Array;
  /** Absolute, as asked for. */
  workdir: string;
  /** The same without links: sessions and locks are kept by it. */
  realWorkdir: string;
  implementer: Implementer;
  lane: AppliedLane | null;
  outDir: string | null;
  /** As written; null is off. */
  timeout: string | null;
  clocks: { wall: number | null; firstEvent: number | null; idle: number | null; completionGrace: number };
  /** The flag and value of each clock, for the message when it fires. */
  clockFlags: { wall: string; firstEvent: string; idle: string };
  model: string | null;
  effort: string | null;
  maxTurns: number | null;
  maxBudgetUsd: string | null;
  autocompact: string | null;
  resumeLast: boolean;
  session: string | null;
  parent: string | null;
  ephemeral: boolean;
  unrecorded: boolean;
  profile: ProfileName;
  /** By a flag: it is not merely the default or that of the resumed session. */
  profileAsked: boolean;
  cleanEnv: boolean;
  keepEnv: string[];
  skipGitRepoCheck: boolean;
  allowHooks: boolean;
  allowWrite: string[];
  allowDomains: string[];
  touch: string[];
  scanIgnored: boolean;
  env: Env;
  limits: Limits;
}

const POSITIVE_INTEGER = /^[1-9]\d*$/;
const POSITIVE_DECIMAL = /^(?:\d+(?:\.\d+)?|\.\d+)$/;
const AUTOCOMPACT = /^(?:auto|[1-9]\d*[km]?)$/i;
const DOMAIN = /^(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d+)?$/;

/** Checks options against the rules of the contract. Throws a UsageError that names the flag, the value and the rule. */
export function checkOptions(
  options: LanedOptions['options'],
  lane: AppliedLane | null = null,
): DispatchRequest {
  const env = options.env ?? copyEnv(process.env);
  refuseRecursion(env);
  const brief = checkBrief(options.brief, 'brief');
  const implementer = chooseImplementer(options.implementer ?? 'claude', env);
  if (options.session !== undefined && options.resumeLast) {
    throw new UsageError('--session and --resume-last exclude each other: choose one');
  }
  const { profile, asked: profileAsked } = chooseProfile(options);
  const duration = (value: string | undefined, flag: string): number | null =>
    value === undefined ? null : parseDuration(value, flag);
  const request: DispatchRequest = {
    brief,
    ...checkDirectory(options.cd ?? process.cwd()),
    implementer,
    lane,
    outDir:
      options.outDir === undefined
        ? null
        : resolve(matching(options.outDir, '--out-dir', /^[^\0]+$/, 'a path')),
    timeout: options.timeout ?? null,
    clocks: {
      wall: duration(options.timeout, '--timeout'),
      firstEvent: duration(options.firstEventTimeout, '--first-event-timeout'),
      idle: duration(options.idleTimeout, '--idle-timeout'),
      completionGrace: parseDuration(options.completionGrace ?? '30s', '--completion-grace'),
    },
    clockFlags: {
      wall: lane?.dials.includes('timeout')
        ? `--lane ${lane.name} (timeout ${options.timeout})`
        : `--timeout ${options.timeout}`,
      firstEvent: `--first-event-timeout ${options.firstEventTimeout}`,
      idle: `--idle-timeout ${options.idleTimeout}`,
    },
    model: optional(options.model, checkModel),
    effort: optional(options.effort, (value) => checkEffort(value, implementer)),
    maxTurns: optional(options.maxTurns, checkTurns),
    maxBudgetUsd: optional(options.maxBudgetUsd, checkBudget),
    autocompact: optional(options.autocompact, (value) =>
      matching(
        value,
        '--autocompact',
        AUTOCOMPACT,
        '`auto` or a positive number of tokens such as 150000 or 150k',
      ),
    ),
    resumeLast: options.resumeLast ?? false,
    parent: options.parent ?? null,
    session: optional(options.session, (value) =>
      matching(
        value,
        '--session',
        SESSION_ID_FORM,
        'a session id of letters, digits and . _ : -, beginning with a letter or digit',
      ),
    ),
    ephemeral: options.ephemeral ?? false,
    unrecorded: options.unrecorded ?? false,
    profile,
    profileAsked,
    cleanEnv: options.cleanEnv ?? false,
    keepEnv: checkKeepEnv(options.keepEnv ?? [], options.cleanEnv ?? false, env),
    skipGitRepoCheck: options.skipGitRepoCheck ?? false,
    allowHooks: options.allowHooks ?? false,
    allowWrite: (options.allowWrite ?? []).map(checkWritable),
    allowDomains: (options.allowDomains ?? []).map((host) =>
      matching(host, '--allow-domain', DOMAIN, 'a host name such as registry.npmjs.org or *.example.com'),
    ),
    scanIgnored: options.scanIgnored ?? false,
    touch: (options.touch ?? []).map((glob) =>
      matching(glob, '--touch', /^[^\0]+$/, 'a glob relative to the top of the working tree'),
    ),
    env,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
  };
  checkCapabilities(request, options);
  const refusal = implementer.refuse({ profile, env, platform: process.platform, uid: process.getuid?.() });
  if (refusal) throw new UsageError(refusal.message, { hint: refusal.hint });
  return request;
}

/** The sandbox ignores what does not exist, so that a missing directory would be refused silently in the middle of a run. */
function checkWritable(directory: string): string {
  const path = resolve(directory);
  try {
    if (statSync(path).isDirectory()) return realpathSync(path);
  } catch (error) {
    throw new UsageError(`--allow-write ${JSON.stringify(path)} cannot be used: ${messageOf(error)}`, {
      cause: error,
    });
  }
  throw new UsageError(`--allow-write ${JSON.stringify(path)} is not a directory`);
}

function checkTurns(value: number | string): number {
  const text = matching(String(value), '--max-turns', POSITIVE_INTEGER, 'a positive whole number');
  if (!Number.isSafeInteger(Number(text))) throw new UsageError(`--max-turns ${text} is too large`);
  return Number(text);
}

function checkBudget(value: number | string): string {
  const text = matching(
    String(value),
    '--max-budget-usd',
    POSITIVE_DECIMAL,
    'a positive plain decimal such as 2.50',
  );
  if (!(Number(text) > 0) || !Number.isFinite(Number(text))) {
    throw new UsageError(`--max-budget-usd ${JSON.stringify(text)} must be more than zero`);
  }
  return text;
}

/** A dial that the implementer does not know is refused, never dropped. */
function checkCapabilities(request: DispatchRequest, options: LanedOptions['options']): void {
  const { capabilities, id } = request.implementer;
  const asked: [boolean, boolean, string][] = [
    [request.session !== null, capabilities.resume, '--session'],
    [request.resumeLast, capabilities.resumeLast, '--resume-last'],
    [request.profile === 'read-only', capabilities.readOnly, '--read-only'],
    [options.dangerouslySkipPermissions ?? false, capabilities.bypass, '--dangerously-skip-permissions'],
    [options.sandbox !== undefined, capabilities.sandboxModes, '--sandbox'],
    [request.ephemeral, capabilities.ephemeral, '--ephemeral'],
    [request.cleanEnv, capabilities.cleanEnv, '--clean-env'],
    [request.skipGitRepoCheck, capabilities.skipGitRepoCheck, '--skip-git-repo-check'],
    [request.allowDomains.length > 0, capabilities.allowDomains, '--allow-domain'],
    [request.model !== null, capabilities.model, '--model'],
    [request.effort !== null, capabilities.effort !== false, '--effort'],
    [request.maxTurns !== null, capabilities.maxTurns, '--max-turns'],
    [request.maxBudgetUsd !== null, capabilities.maxBudgetUsd, '--max-budget-usd'],
    [request.autocompact !== null, capabilities.autocompact, '--autocompact'],
  ];
  for (const [wanted, supported, flag] of asked) {
    if (wanted && !supported) throw new UsageError(`${flag} is not supported by the implementer ${id}`);
  }
}

function optional<In, Out>(value: In | undefined, check: (value: In) => Out): Out | null {
  return value === undefined ? null : check(value);
}
