import { runCommand } from '../../core/command.ts';
import { truncate } from '../../core/text.ts';
import { which } from '../../process/which.ts';
import type { Probe, ProbeRequest } from '../implementer.ts';
import { childEnvironment } from './plan.ts';
import { managedFolder, settingsWarnings } from './settings.ts';

/** Finds the CLI on the child's own PATH, asks for its version, and looks at what could undo the profile. */
export async function probeClaude(request: ProbeRequest): Promise<Probe> {
  const { env, cwd, platform, profile } = request;
  const found = askVersion(request);
  // A read-only run has no shell, hence no sandbox to undo.
  const warnings =
    profile === 'read-only'
      ? []
      : settingsWarnings({ env, cwd, platform, managedFolder: managedFolder(platform) });
  return { ...(await found), warnings };
}

type Found = Pick<Probe, 'answer' | 'binary' | 'version'>;

const MISSING: Found = { answer: 'missing', binary: null, version: null };

async function askVersion(request: ProbeRequest): Promise<Found> {
  const first = await askOnce(request);
  if (first.answer !== 'missing' || first.binary === null) return first;
  // An update may take the binary away between finding and starting it: look once more.
  const second = await askOnce(request);
  return second.answer === 'missing' ? MISSING : second;
}

async function askOnce({ env, cwd, platform, limitMs, signal }: ProbeRequest): Promise<Found> {
  const binary = which('claude', env, { platform });
  if (binary === null) return MISSING;
  const answer = await runCommand({
    file: binary,
    args: ['--version'],
    cwd,
    env: childEnvironment(env, platform),
    timeoutMs: limitMs,
    maxBytes: 1024 ** 2,
    signal,
  });
  if (answer.end === 'timeout') return { answer: 'hung', binary, version: 'unknown' };
  if (answer.failure?.code === 'ENOENT') return { ...MISSING, binary };
  const text = truncate(answer.stdout.toString('utf8').trim(), 200);
  if (answer.end !== 'exited' || answer.code !== 0 || text === '')
    return { answer: 'abnormal', binary, version: 'unknown' };
  return { answer: 'ok', binary, version: text };
}
