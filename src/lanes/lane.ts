import { findImplementer } from '../implementers/registry.ts';
import type { Implementer } from '../implementers/implementer.ts';

/** Where a lane stands: in the user's own file, or in the project's. */
export type LaneSource = 'global' | 'project';

/** A named set of dials for one kind of work, bound to the implementer that does it. */
export interface Lane extends Binding {
  name: string;
  source: LaneSource;
}

/** Who does the work, and how it is set. */
export interface Binding {
  /** A key of the format, such as `claude`. Never re-mapped to another one. */
  implementer: string;
  dials: Dials;
}

/** What a lane may set. Which of them an implementer has is `dialsOf`. */
export interface Dials {
  model?: string;
  effort?: string;
  variant?: string;
  /** Such as `90s`, `5m`, `1h30m`. */
  timeout?: string;
  readOnly?: boolean;
  sandbox?: string;
  permissionMode?: string;
  force?: boolean;
  provider?: string;
}

export type DialName = keyof Dials;

/** All of them, in the order in which they are written and shown. */
export const DIAL_NAMES = [
  'model',
  'effort',
  'variant',
  'timeout',
  'readOnly',
  'sandbox',
  'permissionMode',
  'force',
  'provider',
] as const satisfies readonly DialName[];

/** A name is one plain word: it is typed on command lines, and shown in terminals. */
export const LANE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** What the format calls an implementer and baton starts. */
const DRIVEN = ['claude', 'codex'] as const;

/** Keys of the format for CLIs that baton does not start: their lanes are kept and listed. */
const FOREIGN = [
  'dsh',
  'cline',
  'opencode',
  'agy',
  'grok',
  'kimi',
  'qoder',
  'vibe',
  'cursor',
  'pi',
  'omp',
  'aider',
  'copilot',
  'warp',
  'zcode',
  'commandcode',
] as const;

/** Every implementer that a lane may name, those that baton starts first. */
export const IMPLEMENTER_KEYS: readonly string[] = [...DRIVEN, ...FOREIGN];

/** Those that baton starts. */
export const DRIVEN_KEYS: readonly string[] = DRIVEN;

/** The implementer of a key, where baton starts it. */
export function drivenBy(key: string): Implementer | null {
  return DRIVEN_KEYS.includes(key) ? (findImplementer(key, {}) ?? null) : null;
}

/** The dials that an implementer has. What a CLI that baton does not start takes is for others to say: all of them. */
export function dialsOf(key: string): readonly DialName[] {
  const capabilities = drivenBy(key)?.capabilities;
  if (!capabilities) return DIAL_NAMES;
  const has: { [dial in DialName]?: boolean } = {
    model: capabilities.model,
    effort: capabilities.effort !== false,
    timeout: true,
    readOnly: capabilities.readOnly,
    sandbox: capabilities.sandboxModes,
  };
  return DIAL_NAMES.filter((dial) => has[dial]);
}
