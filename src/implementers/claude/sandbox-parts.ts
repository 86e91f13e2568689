import { readFileSync } from 'node:fs';
import { runCommand } from '../../core/command.ts';
import type { Env } from '../../core/environment.ts';
import { lastLines, oneLine, truncate } from '../../core/text.ts';
import { which } from '../../process/which.ts';
import type { Check, InspectRequest } from '../inspection.ts';

/**
 * What the CLI's sandbox is made of: without it a write run ends at its first moment. On Linux that is bubblewrap, socat
 * and the kernel's leave to use them; macOS brings its own, and Windows has none.
 */
export async function sandboxParts(request: InspectRequest): Promise<Check[]> {
  if (request.platform !== 'linux') return [];
  const bwrap = which('bwrap', request.env, { platform: request.platform });
  return [
    bwrap === null
      ? missing('bubblewrap', 'its sandbox is made with it', request.env)
      : await trial(bwrap, request),
    which('socat', request.env, { platform: request.platform }) === null
      ? missing('socat', 'its sandbox reaches the network through it', request.env)
      : { id: 'socat', state: 'ok', text: 'socat is installed' },
  ];
}

function missing(name: string, why: string, env: Env): Check {
  return {
    id: name,
    state: 'problem',
    text: `${name} is not installed: ${why}, and a write run does not start without`,
    remedy: installCommand(name, env),
  };
}

/** The smallest sandbox there is. Where even that fails, the kernel or the container forbids all of them. */
async function trial(bwrap: string, { env, limitMs, signal }: InspectRequest): Promise<Check> {
  const answer = await runCommand({
    file: bwrap,
    args: ['--ro-bind', '/', '/', '--unshare-pid', '--unshare-net', 'true'],
    cwd: '/',
    env,
    timeoutMs: limitMs,
    maxBytes: 64 * 1024,
    signal,
  });
  const id = 'bubblewrap';
  if (answer.end === 'exited' && answer.code === 0)
    return { id, state: 'ok', text: 'bubblewrap works: claude can make its sandbox' };
  const [said = `it ends with ${answer.code ?? answer.end}`] = lastLines(answer.stderr, 1);
  return {
    id,
    state: 'problem',
    text: `bubblewrap is installed but can make no sandbox: ${truncate(oneLine(said), 200)}`,
    remedy: openNamespaces((path) => readFileSync(path, 'utf8')),
  };
}

const SWITCHES = [
  { name: 'kernel.apparmor_restrict_unprivileged_userns', closed: '1', open: '0' },
  { name: 'kernel.unprivileged_userns_clone', closed: '0', open: '1' },
  { name: 'user.max_user_namespaces', closed: '0', open: '15000' },
] as const;

/** How to let users make namespaces again: the switch of the kernel that is off. `read` reads a file of `/proc/sys`. */
export function openNamespaces(read: (path: string) => string): string {
  const off = SWITCHES.find(({ name, closed }) => {
    try {
      return read(`/proc/sys/${name.replaceAll('.', '/')}`).trim() === closed;
    } catch {
      return false;
    }
  });
  return off
    ? `sudo sysctl -w ${off.name}=${off.open}`
    : 'in a container, start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined; elsewhere let unprivileged users make namespaces';
}

const INSTALLERS = [
  ['apt-get', 'apt-get install -y'],
  ['dnf', 'dnf install -y'],
  ['pacman', 'pacman -S --noconfirm'],
  ['zypper', 'zypper install -y'],
  ['apk', 'apk add'],
] as const;

/** The command that installs a package here. It is `bubblewrap` and `socat` everywhere. */
function installCommand(name: string, env: Env): string {
  const installer = INSTALLERS.find(([program]) => which(program, env) !== null)?.[1];
  return installer === undefined ? `install the package ${name}` : `sudo ${installer} ${name}`;
}
