import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../../core/environment.ts';
import { messageOf } from '../../core/errors.ts';
import { objectOf, stringOf } from '../../core/json.ts';
import { stateHome } from '../../core/state-home.ts';

/** Where the player remembers its sessions: `BATON_SCRIPT_STATE`, or `scripted` in baton's state folder. */
export function sessionFolder(env: Env): string {
  return env['BATON_SCRIPT_STATE'] || join(stateHome(env), 'scripted');
}

/** One small file for each session, so that `--resume` knows which ids exist and `--continue` which one was last here. */
export class Sessions {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  knows(id: string): boolean {
    return this.#read(fileOf(id)) !== null;
  }

  /** The newest session of this directory; null when there is none. */
  lastOf(cwd: string): string | null {
    const here = this.#files()
      .map((file) => this.#read(file))
      .filter((session) => session !== null)
      .filter((session) => session.cwd === cwd)
      .sort((a, b) => (a.at < b.at ? 1 : -1));
    return here[0]?.id ?? null;
  }

  /** Returns why it could not be remembered, or null. A play does not fail over it. */
  remember(id: string, cwd: string): string | null {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const at = new Date().toISOString();
      writeFileSync(join(this.#folder, fileOf(id)), JSON.stringify({ id, cwd, at }), { mode: 0o600 });
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }

  #files(): string[] {
    try {
      return readdirSync(this.#folder).filter((name) => name.endsWith('.json'));
    } catch {
      return [];
    }
  }

  #read(file: string): { id: string; cwd: string; at: string } | null {
    try {
      const parsed: unknown = JSON.parse(readFileSync(join(this.#folder, file), 'utf8'));
      const { id, cwd, at } = objectOf(parsed);
      return { id: stringOf(id) ?? '', cwd: stringOf(cwd) ?? '', at: stringOf(at) ?? '' };
    } catch {
      return null;
    }
  }
}

function fileOf(id: string): string {
  return `${encodeURIComponent(id)}.json`;
}
