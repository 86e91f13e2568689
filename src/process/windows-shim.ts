import { win32 } from 'node:path';
import { BatonError } from '../core/errors.ts';

/** What to start, without a shell in between. */
export interface LaunchTarget {
  file: string;
  args: string[];
}

export interface ShimDisk {
  readText(path: string): string;
  isFile(path: string): boolean;
  /** The `node` for scripts whose shim has none beside it; null where PATH has none. */
  node: string | null;
}

/**
 * On Windows, npm installs an agent CLI as a `.cmd` file. Starting that would put `cmd.exe` in between, for which a
 * newline ends the command and quotes mean something else. So the shim is read, and what it starts is started in its
 * place. A batch file that is no such shim is refused with an explanation: it is there, but cannot be used.
 */
export function resolveShim(file: string, args: readonly string[], disk: ShimDisk): LaunchTarget {
  if (!/\.(?:cmd|bat)$/i.test(file)) return { file, args: [...args] };
  const folder = win32.dirname(file);
  const target = targetOf(disk.readText(file), folder);
  if (target === null || !disk.isFile(target)) {
    throw refusal(
      file,
      target === null ? 'is a batch file but no npm shim' : `points to ${target}, which is not there`,
    );
  }
  if (/\.exe$/i.test(target)) return { file: target, args: [...args] };
  if (!/\.[cm]?js$/i.test(target))
    throw refusal(file, `starts ${target}, which is neither a script nor an .exe`);
  const beside = win32.join(folder, 'node.exe');
  const node = disk.isFile(beside) ? beside : disk.node;
  if (node === null) throw refusal(file, `starts ${target} with node, and there is no node on PATH`);
  return { file: node, args: [target, ...args] };
}

/** The last path of the line that passes the arguments on: `"%dp0%\node_modules\x\cli.js" %*`. */
function targetOf(shim: string, folder: string): string | null {
  const line = shim.split(/\r?\n/).findLast((one) => one.includes('%*'));
  const last = [...(line ?? '').matchAll(/"%(?:~dp0|dp0%)[\\/]?([^"%]+)"/g)].at(-1)?.[1];
  return last === undefined ? null : win32.resolve(folder, last);
}

function refusal(file: string, why: string): BatonError {
  return new BatonError('windows-shim', `${file} cannot be started without cmd.exe: it ${why}`, {
    hint: 'install the CLI with npm or its own installer, or put its .exe on PATH',
  });
}
