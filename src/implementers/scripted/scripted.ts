import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../core/command.ts';
import type { Env } from '../../core/environment.ts';
import { truncate } from '../../core/text.ts';
import { type Check, type InspectRequest, type Inspection, NO_MODELS } from '../inspection.ts';
import type { Containment, Implementer, LaunchPlan, Probe, ProbeRequest } from '../implementer.ts';

/** The variable that names the script to play. */
const SCRIPT = 'BATON_SCRIPT';
const EXECUTABLE = join('bin', 'baton-scripted.js');

/**
 * The implementer that plays a script: the whole path of a dispatch, with no account and no model. What it prints and
 * takes is `shape`'s, so its flags, its profile and its reader are too.
 */
export function scriptedAs(shape: Implementer): Implementer {
  return {
    id: 'scripted',
    unavailable: 'scripted_unavailable',
    capabilities: shape.capabilities,
    refuse: () => null,
    probe: probeScripted,
    inspect: inspectScripted,
    plan: (request) => planScripted(shape.plan(request), request.binary),
    containment: (request) => openContainment(shape.containment(request)),
    reader: () => shape.reader(),
    ownFields: (facts) => {
      const { tool, ...fields } = shape.ownFields(facts);
      return tool === undefined ? fields : { tool: 'scripted', ...fields };
    },
  };
}

/**
 * As which CLI the script of this environment is to be played. Only looked at, not read: what is wrong with it is for
 * the player to say.
 */
export function shapeOf(env: Env): 'claude' | 'codex' {
  const script = env[SCRIPT];
  if (!script) return 'claude';
  try {
    return /^\s*\{?\s*"?shape"?\s*:\s*["']?codex\b/m.test(readFileSync(script, 'utf8')) ? 'codex' : 'claude';
  } catch {
    return 'claude';
  }
}

/** The command line is the other's own, so that a script sees every flag that the real CLI would. */
function planScripted(plan: LaunchPlan, executable: string): LaunchPlan {
  return {
    ...plan,
    file: process.execPath,
    args: [executable, ...plan.args],
    env: withScript(plan.env),
    shellSandbox: 'not-applicable',
    sandboxRequired: false,
  };
}

async function probeScripted({ env, cwd, limitMs, signal }: ProbeRequest): Promise<Probe> {
  const binary = findExecutable();
  if (binary === null) return missing(`baton's own ${EXECUTABLE} is not there: reinstall baton-relay`);
  if (!env[SCRIPT]) return missing(`${SCRIPT} is not set: set it to a YAML script (docs/scripted.md)`);
  const answer = await runCommand({
    file: process.execPath,
    args: [binary, '--version'],
    cwd,
    env: withScript(env),
    timeoutMs: limitMs,
    maxBytes: 1024 ** 2,
    signal,
  });
  const found = { binary, warnings: [] };
  if (answer.end === 'timeout') return { ...found, answer: 'hung', version: 'unknown' };
  const text = truncate(answer.stdout.toString('utf8').trim(), 200);
  const ok = answer.end === 'exited' && answer.code === 0 && text !== '';
  return ok
    ? { ...found, answer: 'ok', version: text }
    : { ...found, answer: 'abnormal', version: 'unknown' };
}

/** Nothing to sign in to, and no sandbox: only whether there is something to play. */
async function inspectScripted(request: InspectRequest): Promise<Inspection> {
  const { binary, version, warnings } = await probeScripted({ ...request, profile: 'write' });
  const [unfit] = warnings;
  const executable: Inspection['executable'] =
    binary === null || version === null
      ? { state: 'not-installed' }
      : { state: 'ready', path: binary, version, banner: false };
  const check: Check = unfit
    ? { id: 'executable', state: 'problem', text: unfit.text, remedy: `export ${SCRIPT}=<script>` }
    : { id: 'executable', state: 'ok', text: `scripted ${version ?? ''} (${binary ?? ''})` };
  return { executable, authenticated: null, models: NO_MODELS, checks: [check] };
}

function missing(text: string): Probe {
  return { answer: 'missing', binary: null, version: null, warnings: [{ text, gap: false }] };
}

/** A relative script means the caller's directory; the player works in another. */
function withScript(env: Env): Env {
  const script = env[SCRIPT];
  return script ? { ...env, [SCRIPT]: resolve(script) } : env;
}

/** The package's executable, from wherever this file ended up: a source folder, or a bundle in `dist`. */
function findExecutable(): string | null {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const executable = join(folder, EXECUTABLE);
    if (existsSync(executable)) return executable;
    if (dirname(folder) === folder) return null;
  }
}

/** Nothing holds a script: every kind of violation that the other's containment knows is open here. */
function openContainment({ lines }: Containment): Containment {
  const why = 'a script is played with no sandbox: it does whatever it says';
  return { lines: lines.map(({ kind }) => ({ kind, possible: true, why })) };
}
