import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Env } from '../../src/core/environment.ts';
import type { FileBlock } from '../../src/answers/file-block.ts';
import { plainEnv } from '../evidence/watching.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** A folder to publish into, a state folder, and a folder that nothing must ever be written to. */
export interface Scene {
  root: string;
  outside: string;
  env: Env;
}

export function scene(files: { [path: string]: string } = {}): Scene {
  const [root, outside] = [temporaryFolder(), temporaryFolder()];
  writeFileSync(join(outside, 'victim'), 'untouched\n');
  put(root, files);
  return { root, outside, env: { ...plainEnv(), BATON_HOME: temporaryFolder() } };
}

export function put(root: string, files: { [path: string]: string }, mode?: number): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    if (mode !== undefined) chmodSync(join(root, path), mode);
  }
}

export const SKILL = '.claude/skills/billing/SKILL.md';

export function skill(text = 'one', path = SKILL): FileBlock {
  return { path, content: `---\nname: billing\ndescription: ${text}\n---\n\nBody ${text}.\n` };
}

/** Everything below a folder: kind, mode and bytes by path. Two that are equal mean that nothing was changed. */
export function snapshot(folder: string, below = ''): { [path: string]: string } {
  const found: { [path: string]: string } = {};
  for (const name of readdirSync(join(folder, below)).sort()) {
    const path = below === '' ? name : `${below}/${name}`;
    const stat = lstatSync(join(folder, path));
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isDirectory()) Object.assign(found, { [path]: `folder ${mode}` }, snapshot(folder, path));
    else if (stat.isSymbolicLink()) found[path] = `link ${readlinkSync(join(folder, path))}`;
    else if (stat.isFile()) found[path] = `file ${mode} ${readFileSync(join(folder, path), 'latin1')}`;
    else found[path] = 'special';
  }
  return found;
}

/** The names that a publication gives to what it has not put into place yet. */
export function litter(folder: string): string[] {
  return Object.keys(snapshot(folder)).filter((path) => /\.baton-|\.tmp$/.test(path));
}
