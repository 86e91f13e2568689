import type { Env } from '../core/environment.ts';
import { claude } from './claude/claude.ts';
import { codex } from './codex/codex.ts';
import type { Implementer } from './implementer.ts';
import { scriptedAs, shapeOf } from './scripted/scripted.ts';

const REAL: readonly Implementer[] = [claude, codex];

/** The implementer of that id (`claude` ...); undefined for one that baton does not know. */
export function findImplementer(id: string, env: Env): Implementer | undefined {
  // The script of the environment says as which CLI it is to be played.
  if (id === 'scripted') return scriptedAs(shapeOf(env) === 'codex' ? codex : claude);
  return REAL.find((implementer) => implementer.id === id);
}

export function implementerIds(): string[] {
  return [...REAL.map(({ id }) => id), 'scripted'];
}
