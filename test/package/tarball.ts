import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../support/build.ts';
import { PROJECT } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** The package as a user gets it: packed, and installed in a project of its own. */
export interface InstalledPackage {
  /** The project that has it among its dependencies. */
  project: string;
  /** Its folder in `node_modules`. */
  folder: string;
  /** What npm packed: one file. */
  tarball: string;
  /** Paths in the tarball, as npm lists them. */
  packed: { path: string; size: number; mode: number }[];
}

/** Packs and installs without the network: the package has no dependencies, and this would fail if it got one. */
export async function installPackage(): Promise<InstalledPackage> {
  await ensureBuilt();
  const home = temporaryFolder();
  const npm = (cwd: string, ...args: string[]): string =>
    execFileSync(
      'npm',
      [...args, '--ignore-scripts', '--offline', '--no-audit', '--no-fund', '--no-update-notifier'],
      {
        cwd,
        env: { PATH: process.env['PATH'] ?? '', HOME: home },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
  const [made]: { filename: string; files: InstalledPackage['packed'] }[] = JSON.parse(
    npm(PROJECT, 'pack', '--json', '--pack-destination', home),
  );
  if (!made) throw new Error('npm pack made nothing');
  const project = join(home, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const tarball = join(home, made.filename);
  npm(project, 'install', tarball);
  return { project, folder: join(project, 'node_modules', 'baton-relay'), tarball, packed: made.files };
}
