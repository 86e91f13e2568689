import type { TargetId } from '../../targets/target.ts';

/**
 * What a CLI does with our hooks. `not-trusted`: it skips them until a person trusts them. `file-ignored`: it does not
 * take the file that they stand in. `disabled`: some setting turns hooks off. `absent`: they are not installed.
 */
export type HookState = 'in-force' | 'not-trusted' | 'file-ignored' | 'disabled' | 'absent';

export interface HookStatus {
  target: TargetId;
  state: HookState;
  /** Who said so: the CLI itself, or its settings read by its documented rules. */
  source: 'cli' | 'files';
  /** What there is to know, and to do, in sentences. */
  details: string[];
}

export interface StatusRequest {
  /** The top of the project; a real path. */
  root: string;
  env: { [name: string]: string };
  platform: NodeJS.Platform;
  /** For each question to a CLI. */
  limitMs: number;
}

/** Nothing that is asked for a status may reach the network. */
export function withoutNetwork(env: { [name: string]: string }): { [name: string]: string } {
  const closed = 'http://127.0.0.1:9';
  return {
    ...env,
    HTTPS_PROXY: closed,
    HTTP_PROXY: closed,
    https_proxy: closed,
    http_proxy: closed,
    ALL_PROXY: closed,
    NO_PROXY: '',
    no_proxy: '',
  };
}
