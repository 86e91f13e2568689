import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Place } from '../briefs/check/subject.ts';
import type { Env } from '../core/environment.ts';
import { BatonError } from '../core/errors.ts';
import { isObject, objectOf } from '../core/json.ts';
import { makeTargets } from '../gates/detect/build-files.ts';
import type { NoRepository, Repository } from '../git/repository.ts';
import { trustedGit } from '../git/trusted.ts';
import { which } from '../process/which.ts';
import { readProjectFile } from '../trust/project-file.ts';

export interface PlaceRequest {
  /** The directory to work in, and the top of its working tree. */
  cwd: string;
  top: string;
  repository: Repository | NoRepository;
  env: Env;
}

/** The disk as the check of a brief asks it. Nothing of the project is run. */
export async function placeAt({ cwd, top, repository, env }: PlaceRequest): Promise<Place> {
  const names = await fileNames(repository, env);
  const exists = (path: string): boolean => {
    const wild = path.split('/').findIndex((part) => /[*?{[]/.test(part));
    const plain = wild === -1 ? path : path.split('/').slice(0, wild).join('/');
    const home = /^~\/(.*)$/.exec(plain)?.[1];
    if (home !== undefined) return env['HOME'] !== undefined && existsSync(join(env['HOME'], home));
    return existsSync(resolve(cwd, plain)) || existsSync(resolve(top, plain));
  };
  return {
    hasPath: exists,
    hasFileNamed: (name) => names.has(name),
    hasTopLevel: (name) => name !== '' && (existsSync(join(top, name)) || existsSync(join(cwd, name))),
    scripts: () => scriptsIn(cwd) ?? scriptsIn(top),
    targets: () => targetsIn(cwd) ?? targetsIn(top),
    hasProgram: (name) =>
      which(name, env, { cwd }) !== null || existsSync(join(top, 'node_modules', '.bin', name)),
  };
}

/** The top of a working tree as a person sees it: folders end in `/`, and what is hidden stays so. */
export function topLevelOf(top: string): string[] {
  return readdirSync(top, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .sort();
}

/** The text of a file of the project; null where there is none that is to be read. */
export function textIn(top: string, path: string): string | null {
  try {
    return readProjectFile(top, path)?.toString('utf8') ?? null;
  } catch (error) {
    // A link, something odd or something huge: nothing is read from it.
    if (error instanceof BatonError) return null;
    throw error;
  }
}

async function fileNames(repository: Repository | NoRepository, env: Env): Promise<ReadonlySet<string>> {
  if (!('top' in repository)) return new Set();
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await trustedGit(repository, args, { env, timeoutMs: 30_000 });
  const paths = stdout.toString('utf8').split('\0');
  return new Set(paths.map((path) => path.slice(path.lastIndexOf('/') + 1)));
}

function scriptsIn(folder: string): string[] | null {
  try {
    const manifest: unknown = JSON.parse(textIn(folder, 'package.json') ?? '');
    return isObject(manifest) ? Object.keys(objectOf(manifest['scripts'])) : null;
  } catch {
    return null;
  }
}

function targetsIn(folder: string): string[] | null {
  const text = ['GNUmakefile', 'makefile', 'Makefile']
    .map((name) => textIn(folder, name))
    .find((one) => one !== null);
  return text === undefined || text === null ? null : makeTargets(text);
}
