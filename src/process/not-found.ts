import { closeSync, openSync, readlinkSync, readSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Env } from '../core/environment.ts';
import { placesOf } from './which.ts';

/** Why a name on PATH starts nothing, though something may lie there. */
export type NotFound =
  | { state: 'not-installed' }
  /** A link whose target is gone: an update or an uninstall was cut short. */
  | { state: 'broken-link'; path: string; target: string }
  /** A file that this user may not execute. */
  | { state: 'not-executable'; path: string };

/** What lies on PATH under a name for which `which` found nothing to run: the first that tells something. */
export function whyNotFound(name: string, env: Env, platform: NodeJS.Platform = process.platform): NotFound {
  for (const path of placesOf(name, env, platform)) {
    const target = linkTarget(path);
    if (target !== null && !pointsSomewhere(path)) return { state: 'broken-link', path, target };
    if (isFile(path)) return { state: 'not-executable', path };
  }
  return { state: 'not-installed' };
}

/** Null for what is no link, or lies where this user may not look. */
function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * The program that a script's `#!` line asks for, where that is not there: the system then says of the script itself
 * that it does not exist. Null for every other file. `/usr/bin/env node` fails on its own and says so.
 */
export function missingInterpreter(path: string): string | null {
  const interpreter = /^#!\s*(\S+)/.exec(headOf(path).toString('utf8'))?.[1];
  if (interpreter === undefined || !isAbsolute(interpreter)) return null;
  return pointsSomewhere(interpreter) ? null : interpreter;
}

/** The first bytes of a file: enough to tell what it is. None where it cannot be read. */
export function headOf(path: string): Buffer {
  const head = Buffer.alloc(256);
  try {
    const fd = openSync(path, 'r');
    try {
      return head.subarray(0, readSync(fd, head, 0, head.length, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    return Buffer.alloc(0);
  }
}

function pointsSomewhere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A loop of links, or a folder that may not be entered.
    return false;
  }
}
