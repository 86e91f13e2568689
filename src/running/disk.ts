import { statfs } from 'node:fs';

const LOOK_MS = 2000;

/**
 * Watches the free space of the file system that holds `folder` and calls `onLow` once, with a sentence for a person,
 * when less than `minFreeBytes` are left: the run has to stop while its result can still be written. Returns the stop.
 */
export function watchFreeSpace(
  folder: string,
  minFreeBytes: number,
  onLow: (message: string) => void,
): () => void {
  let over = false;
  const look = (): void =>
    statfs(folder, (error, space) => {
      // A folder that was removed has no space to watch.
      if (over || error) return;
      const free = space.bavail * space.bsize;
      if (free >= minFreeBytes) return;
      stop();
      onLow(
        `the disk of ${folder} is nearly full: ${inMegabytes(free)} are free, the limit is ${inMegabytes(minFreeBytes)}`,
      );
    });
  const timer = setInterval(look, LOOK_MS).unref();
  const stop = (): void => {
    over = true;
    clearInterval(timer);
  };
  look();
  return stop;
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
