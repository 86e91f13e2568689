import { messageOf } from '../core/errors.ts';
import { readFrontmatter } from './frontmatter.ts';
import { quoteFrontmatter } from './frontmatter-edit.ts';
import { legacyActivation } from './legacy-activation.ts';
import { parseTriggersFrontmatter, setTriggers } from './triggers.ts';

/** The text of a skill in its present form, and what was done to it, for a person. */
export interface MigratedText {
  content: string;
  changes: string[];
  /** What is left as it is, and why. */
  problem: string | null;
}

/**
 * Brings a skill's text into the form that every CLI reads: values in quotes where YAML needs them, and the triggers of
 * an old `## Activation` section in the frontmatter. The section itself stays: it is prose to read, too.
 */
export function migrateText(content: string): MigratedText {
  const changes: string[] = [];
  const { problems, warnings } = readFrontmatter(content) ?? { problems: [], warnings: [] };
  const [problem] = problems;
  if (problem !== undefined) return { content, changes, problem };
  let migrated = quoteFrontmatter(content);
  changes.push(...warnings.map((warning) => warning.replace('needs quotes: ', 'quotes ')));
  const legacy = legacyActivation(content);
  const told = legacy.filePatterns.length > 0 || legacy.keywords.length > 0;
  if (!told || parseTriggersFrontmatter(content) !== null)
    return { content: migrated, changes, problem: null };
  try {
    migrated = setTriggers(migrated, legacy);
  } catch (error) {
    return { content, changes: [], problem: messageOf(error) };
  }
  return { content: migrated, changes: [...changes, 'triggers into the frontmatter'], problem: null };
}
