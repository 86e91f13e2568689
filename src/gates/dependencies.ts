import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isObject, type JsonObject, objectOf } from '../core/json.ts';

interface Ecosystem {
  /** A word of a command that needs the installed dependencies. */
  runner: RegExp;
  manifest: string;
  /** Any of them is enough. */
  folders: readonly string[];
  needs: (manifest: JsonObject) => boolean;
}

const ECOSYSTEMS: readonly Ecosystem[] = [
  {
    runner: /(?:^|[\s;&|(])(?:npm|npx|pnpm|pnpx|yarn|bun|bunx|node)(?=[\s;&|)]|$)/,
    manifest: 'package.json',
    // The second is how yarn does without a folder.
    folders: ['node_modules', '.pnp.cjs'],
    needs: (manifest) => hasEntries(manifest, 'dependencies') || hasEntries(manifest, 'devDependencies'),
  },
  {
    runner: /(?:^|[\s;&|(])(?:php|composer)(?=[\s;&|)]|$)/,
    manifest: 'composer.json',
    folders: ['vendor'],
    needs: (manifest) => hasEntries(manifest, 'require') || hasEntries(manifest, 'require-dev'),
  },
];

/**
 * The folder of installed dependencies that this command needs and that is not there, relative to the top; null where
 * nothing is missing. It may also lie above the working tree, where runners look as well.
 */
export function missingDependencies(command: string, top: string, cwd: string): string | null {
  const places = upwards(join(top, cwd));
  const inside = places.filter((place) => !relative(top, place).startsWith('..'));
  for (const { runner, manifest, folders, needs } of ECOSYSTEMS) {
    if (!runner.test(command)) continue;
    const home = inside.find((place) => existsSync(join(place, manifest)));
    if (home === undefined || !needs(readManifest(join(home, manifest)))) continue;
    const there = places.some((place) => folders.some((folder) => existsSync(join(place, folder))));
    if (!there) return join(relative(top, home), folders[0] ?? '');
  }
  return null;
}

/** A folder and all above it. */
function upwards(folder: string): string[] {
  return dirname(folder) === folder ? [folder] : [folder, ...upwards(dirname(folder))];
}

function hasEntries(manifest: JsonObject, field: string): boolean {
  return Object.keys(objectOf(manifest[field])).length > 0;
}

function readManifest(path: string): JsonObject {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
