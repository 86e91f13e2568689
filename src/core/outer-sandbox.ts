import type { Env } from './environment.ts';

/**
 * What to know where this process was started inside codex's own sandbox, which says so in the environment (on Linux by
 * the first, on macOS by both); null where nothing says so.
 */
export function outerSandbox(env: Env): string | null {
  const inside = env['CODEX_SANDBOX_NETWORK_DISABLED'] === '1' || env['CODEX_SANDBOX'] === 'seatbelt';
  return inside
    ? "this shell is inside codex's sandbox, in which no other agent CLI can work (no network, no sandbox of its own, a read-only home): the person has to start codex with -s danger-full-access"
    : null;
}
