import { claude } from './claude/claude.ts';
import type { Implementer } from './implementer.ts';
import { scriptedAs } from './scripted/scripted.ts';

const IMPLEMENTERS: readonly Implementer[] = [claude, scriptedAs(claude)];

/** The implementer of that id (`claude` ...); undefined for one that baton does not know. */
export function findImplementer(id: string): Implementer | undefined {
  return IMPLEMENTERS.find((implementer) => implementer.id === id);
}

export function implementerIds(): string[] {
  return IMPLEMENTERS.map(({ id }) => id);
}
