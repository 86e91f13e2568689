import { runCommand } from '../core/command.ts';
import { truncate } from '../core/text.ts';
import { missingInterpreter, whyNotFound } from '../process/not-found.ts';
import { which } from '../process/which.ts';
import type { Probe, ProbeRequest } from './implementer.ts';

type Asked = Pick<Probe, 'answer' | 'binary' | 'version' | 'why'>;

/** Finds a CLI on the PATH of `env` and asks it for its version: the preflight of a run. */
export async function askVersion(name: string, request: Omit<ProbeRequest, 'profile'>): Promise<Asked> {
  const first = await askOnce(name, request);
  // An update may take the binary away between finding and starting it: look once more.
  if (first !== 'vanished') return first;
  const second = await askOnce(name, request);
  return second === 'vanished'
    ? missing(`${name} vanishes as soon as it is found: is it being updated?`)
    : second;
}

async function askOnce(
  name: string,
  { env, cwd, platform, limitMs, signal }: Omit<ProbeRequest, 'profile'>,
): Promise<Asked | 'vanished'> {
  const binary = which(name, env, { platform });
  if (binary === null) return missing(lying(name, env, platform));
  const answer = await runCommand({
    file: binary,
    args: ['--version'],
    cwd,
    env,
    timeoutMs: limitMs,
    maxBytes: 1024 ** 2,
    signal,
  });
  if (answer.end === 'timeout') return { answer: 'hung', binary, version: 'unknown' };
  if (answer.failure?.code === 'ENOENT') {
    const interpreter = missingInterpreter(binary);
    return interpreter === null
      ? 'vanished'
      : missing(`${binary} is a script for ${interpreter}, which is not there`);
  }
  const text = truncate(answer.stdout.toString('utf8').trim(), 200);
  if (answer.end !== 'exited' || answer.code !== 0 || text === '')
    return { answer: 'abnormal', binary, version: 'unknown' };
  return { answer: 'ok', binary, version: text };
}

function missing(why: string | undefined): Asked {
  return { answer: 'missing', binary: null, version: null, ...(why === undefined ? {} : { why }) };
}

/** What is on PATH under that name all the same. */
function lying(name: string, env: ProbeRequest['env'], platform: NodeJS.Platform): string | undefined {
  const found = whyNotFound(name, env, platform);
  if (found.state === 'broken-link') return `${found.path} is a link to ${found.target}, which is not there`;
  return found.state === 'not-executable' ? `${found.path} may not be executed` : undefined;
}
