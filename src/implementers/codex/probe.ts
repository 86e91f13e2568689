import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../core/command.ts';
import { truncate } from '../../core/text.ts';
import { which } from '../../process/which.ts';
import type { Probe, ProbeRequest } from '../implementer.ts';
import { featuresOf } from './features.ts';
import { codexSettings } from './settings.ts';

/** Finds the CLI on the child's own PATH, asks for its version and its flags, and looks at what could undo the sandbox. */
export async function probeCodex(request: ProbeRequest): Promise<Probe> {
  const [found, settings] = await Promise.all([ask(request), codexSettings(request)]);
  const { features, ...version } = found;
  const ignoresRules = features.includes('exec --ignore-rules');
  return {
    ...version,
    features: [...features, ...settings.mcpServers.map((name) => `mcp ${name}`)],
    warnings: [...settings.warnings, ...(ignoresRules ? [] : settings.ruleWarnings)],
  };
}

type Found = Pick<Probe, 'answer' | 'binary' | 'version'> & { features: readonly string[] };

const MISSING: Found = { answer: 'missing', binary: null, version: null, features: [] };

async function ask(request: ProbeRequest): Promise<Found> {
  const first = await askOnce(request);
  if (first.answer !== 'missing' || first.binary === null) return first;
  // An update may take the binary away between finding and starting it: look once more.
  const second = await askOnce(request);
  return second.answer === 'missing' ? MISSING : second;
}

async function askOnce({ env, cwd, platform, limitMs, signal, stateHome }: ProbeRequest): Promise<Found> {
  const binary = which('codex', env, { platform });
  if (binary === null) return MISSING;
  const command = { file: binary, env, timeoutMs: limitMs, signal };
  const answer = await runCommand({ ...command, args: ['--version'], cwd, maxBytes: 1024 ** 2 });
  if (answer.end === 'timeout') return { answer: 'hung', binary, version: 'unknown', features: [] };
  if (answer.failure?.code === 'ENOENT') return { ...MISSING, binary };
  const version = truncate(answer.stdout.toString('utf8').trim(), 200);
  if (answer.end !== 'exited' || answer.code !== 0 || version === '')
    return { answer: 'abnormal', binary, version: 'unknown', features: [] };
  const features = await inEmptyFolder((folder) =>
    featuresOf({ binary, version, env, cwd: folder, limitMs, signal, stateHome }),
  );
  return { answer: 'ok', binary, version, features };
}

async function inEmptyFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'baton-probe-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
