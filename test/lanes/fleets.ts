import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { locateRepository } from '../../src/git/locate.ts';
import type { Repository } from '../../src/git/repository.ts';
import { type Fleet, PROJECT_FLEET, readFleet } from '../../src/lanes/fleet.ts';
import { approve } from '../../src/trust/approval.ts';
import type { Surroundings } from '../support/environment.ts';

/** A file of lanes, as text. */
export function fleetText(lanes: object): string {
  return `${JSON.stringify({ version: 'delegate-fleet.v1', lanes }, null, 2)}\n`;
}

/** Writes the user's own file. Returns its path. */
export function writeGlobal(
  where: Pick<Surroundings, 'home'>,
  content: object | string | Uint8Array,
): string {
  return write(join(where.home, '.config', 'delegate-skills', 'config.json'), content);
}

/** Writes the project's file. Returns its path. */
export function writeProject(top: string, content: object | string | Uint8Array): string {
  return write(join(top, PROJECT_FLEET), content);
}

function write(path: string, content: object | string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    typeof content === 'string' || content instanceof Uint8Array ? content : fleetText(content),
  );
  return path;
}

/** Where git says that a folder lies. */
export async function located(dir: string): Promise<Repository> {
  const found = await locateRepository(
    dir,
    { PATH: process.env['PATH'] ?? '', HOME: dir, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    30_000,
  );
  if ('problem' in found) throw new Error(found.detail);
  return found;
}

/** Both files, as a run in this folder sees them. */
export async function fleetIn(where: Pick<Surroundings, 'env'>, dir: string): Promise<Fleet> {
  return readFleet({ repository: await located(dir), env: where.env });
}

/** What `baton lanes approve` does, without looking. */
export async function approveProject(dir: string): Promise<string[]> {
  const repository = await located(dir);
  const { project } = readFleet({ repository, env: { HOME: dir } });
  return approve(repository, 'lanes', project?.bytes ?? Buffer.alloc(0));
}

/** SHA-256 of a file's bytes, as hex. */
export function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** What another program that knows the format does: the hash, into the folder that git names. */
export function approveByHand(
  dir: string,
  which: '--absolute-git-dir' | '--git-common-dir',
  newline = true,
): void {
  const folder = execFileSync('git', ['rev-parse', '--path-format=absolute', which], {
    cwd: dir,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: dir },
  });
  const sum = hashOf(join(dir, PROJECT_FLEET));
  mkdirSync(join(folder.trim(), 'delegate-skills'), { recursive: true });
  writeFileSync(join(folder.trim(), 'delegate-skills', 'project-config.sha256'), newline ? `${sum}\n` : sum);
}
