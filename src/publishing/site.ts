import type { RootFolder } from './root-folder.ts';

/** Called between any two things that change the disk: tests kill the process at each of these moments. */
export type OnStep = (step: string) => void;

/** Where files are changed, and where it is written down. */
export interface Site {
  root: RootFolder;
  /** The root's folder in the state folder: journal, record, and what it takes to undo. */
  folder: string;
  onStep: OnStep;
}
