/** Files by path. */
export interface Project {
  [path: string]: string;
}

export interface Seed {
  name: string;
  file: string;
  /** The kind that must be found; absent of a harmless edit. */
  finds?: string;
  /** A part of the line that the finding must point to. */
  at?: string;
  edit?: [from: string, to: string][] | string | null;
  rename?: string;
  also?: [file: string, from: string, to: string];
}

export function readSeeds(): { project: Project; seeds: Seed[]; harmless: Seed[] };

export function seeded(project: Project, seed: Seed): Project;
