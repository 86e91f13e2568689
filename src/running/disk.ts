import { statfsSync } from 'node:fs';

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
  const look = (): void => {
    const free = freeBytes(folder);
    if (free === null || free >= minFreeBytes) return;
    stop();
    onLow(
      `the disk of ${folder} is nearly full: ${readableBytes(free)} are free, the limit is ${readableBytes(minFreeBytes)}`,
    );
  };
  const timer = setInterval(look, LOOK_MS).unref();
  const stop = (): void => clearInterval(timer);
  look();
  return stop;
}

/** Null for a folder that was removed: it has no space to watch. Asked at once: the thread pool costs a short run a millisecond. */
export function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** For a person: `123.4 MB`, `80 GB`. */
export function readableBytes(bytes: number): string {
  return bytes < 10e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.round(bytes / 1e9)} GB`;
}
