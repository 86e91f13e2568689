/** Bounds of every run, whatever it is for. They rarely need another value. */
export interface RunLimits {
  /** A longer record of the stream is skipped and counted. Default 64 MiB. */
  maxRecordBytes: number;
  /** Free bytes of the disk under which a run is stopped. Default 200,000,000. */
  minFreeBytes: number;
  /** The preflight. Default 10,000 ms. */
  preflightMs: number;
  /** Between TERM and KILL. Default 5,000 ms. */
  termGraceMs: number;
}

export const RUN_LIMITS: RunLimits = {
  maxRecordBytes: 64 * 1024 * 1024,
  minFreeBytes: 200_000_000,
  preflightMs: 10_000,
  termGraceMs: 5_000,
};
