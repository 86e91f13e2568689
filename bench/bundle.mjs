import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';

export const PROJECT = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Bundles modules of `src` as the product's own build does, into a folder of the bench: the package has no entry for
 * them, and shall not get one for this.
 *
 * @param {string} outDir
 * @param {Record<string, string>} entry names and paths below `src`
 */
export async function bundleModules(outDir, entry) {
  const entries = Object.entries(entry).map(([name, path]) => [name, join(PROJECT, 'src', path)]);
  await build({
    cwd: PROJECT,
    config: false,
    entry: Object.fromEntries(entries),
    outDir,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    dts: false,
    clean: false,
    logLevel: 'error',
    outExtensions: () => ({ js: '.mjs' }),
    deps: { alwaysBundle: [/.*/], onlyBundle: false },
    inputOptions: { resolve: { mainFields: ['module', 'main'] } },
  });
}
