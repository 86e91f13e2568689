import { chmodSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Env } from '../core/environment.ts';
import { messageOf } from '../core/errors.ts';
import { shellWord } from '../core/shell-word.ts';
import { stateHome } from '../core/state-home.ts';
import { freeBytes, readableBytes } from '../running/disk.ts';
import { RUN_LIMITS } from '../running/limits.ts';
import { type Examined, fine, problem, warning } from './doctor-check.ts';

/** Where runs are kept: that it can be written, that others cannot read it, and that the disk has room. */
export function stateFolder(env: Env): Examined[] {
  const folder = stateHome(env);
  const nearest = nearestFolder(folder);
  if (nearest === null) return [cannot(folder, 'a file is in the way')];
  return [(nearest === folder ? runsFolder(folder) : null) ?? writing(folder, nearest), room(nearest)];
}

/** What is wrong with the folder of the runs in it, which a baton of another user may have made; null where nothing is. */
function runsFolder(home: string): Examined | null {
  const runs = join(home, 'runs');
  const nearest = nearestFolder(runs);
  if (nearest === home) return null;
  if (nearest === null) return cannot(runs, 'a file is in the way');
  const found = writing(runs, runs);
  return found.check.state === 'problem' ? found : null;
}

function writing(folder: string, nearest: string): Examined {
  const there = nearest === folder;
  try {
    rmdirSync(mkdtempSync(join(nearest, '.baton-doctor-')));
  } catch (error) {
    return cannot(folder, messageOf(error), there && isOwn(folder) ? folder : null);
  }
  if (!there) return fine('state-folder', `the state folder will be made: ${folder}`);
  return isOpen(folder) ? open(folder) : fine('state-folder', `the state folder can be written: ${folder}`);
}

/** `own`: the folder, where this user may change its mode. */
function cannot(folder: string, why: string, own: string | null = null): Examined {
  const text = `the state folder ${folder} cannot be written: ${why}`;
  if (own === null) return problem('state-folder', text, 'export BATON_HOME=<a folder that can be written>');
  return problem('state-folder', text, `chmod 700 ${shellWord(own)}`, closing(own));
}

/** Briefs and logs of agents are nobody else's business. */
function open(folder: string): Examined {
  const mode = (statSync(folder).mode & 0o777).toString(8);
  const text = `other users can look into the state folder ${folder} (mode ${mode})`;
  return warning('state-folder', text, `chmod 700 ${shellWord(folder)}`, closing(folder));
}

function closing(folder: string): NonNullable<Parameters<typeof warning>[3]> {
  return {
    question: `Give ${folder} to you alone (mode 700)?`,
    inRepository: false,
    apply: async () => {
      chmodSync(folder, 0o700);
      return `${folder} has mode 700 now`;
    },
  };
}

function isOpen(folder: string): boolean {
  return process.platform !== 'win32' && isOwn(folder) && (statSync(folder).mode & 0o077) !== 0;
}

function isOwn(folder: string): boolean {
  return process.getuid !== undefined && statSync(folder).uid === process.getuid();
}

/** The folder itself, or the one above it that is there; null where a file stands in the place of one. */
function nearestFolder(path: string): string | null {
  for (let folder = path; ; folder = dirname(folder)) {
    try {
      return statSync(folder).isDirectory() ? folder : null;
    } catch {
      // Not there, or below a file: then that is what the next look finds.
    }
    if (dirname(folder) === folder) return null;
  }
}

/** Under the floor every run is stopped; near to it, a long one will be. */
function room(folder: string): Examined {
  const floor = RUN_LIMITS.minFreeBytes;
  const free = freeBytes(folder);
  if (free === null)
    return warning('disk', `how much room the disk of ${folder} has is not known`, `df ${folder}`);
  const text = `${readableBytes(free)} are free on the disk of ${folder}`;
  const remedy = `make room, or: export BATON_HOME=<a folder on another disk>`;
  if (free < floor) return problem('disk', `${text}: a run stops below ${readableBytes(floor)}`, remedy);
  if (free < 5 * floor) return warning('disk', `${text}: a run stops below ${readableBytes(floor)}`, remedy);
  return fine('disk', text);
}
