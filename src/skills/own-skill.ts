import { readFrontmatter } from './frontmatter.ts';

/** The skill that teaches an orchestrator to use baton. */
export const OWN_SKILL = 'delegate';

/** The version of baton that a `SKILL.md` came with; null where it does not say. */
export function versionOf(content: string): string | null {
  const metadata = readFrontmatter(content)?.fields.get('metadata');
  const version: unknown = metadata instanceof Map ? metadata.get('version') : undefined;
  return typeof version === 'string' ? version : null;
}

/** Whether a skill is baton's own, and none that is about the repository: it is neither brought up to date nor activated. */
export function isOwnSkill(name: string, content: string): boolean {
  return name === OWN_SKILL && versionOf(content) !== null;
}
