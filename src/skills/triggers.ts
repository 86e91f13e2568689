import { isObject } from '../core/json.ts';
import { readFrontmatter } from './frontmatter.ts';
import { removeFrontmatterKey, setFrontmatterKey } from './frontmatter-edit.ts';
import { legacyActivation } from './legacy-activation.ts';
import type { Triggers } from './skill-rules.ts';

/**
 * What a skill's frontmatter says of its activation: `triggers:` or `metadata.triggers`, a mapping or a JSON string with
 * `files`, `keywords` and `alwaysActivate`. Null where there is no such key. One that cannot be read is empty: it was
 * meant to replace what the body says.
 */
export function parseTriggersFrontmatter(content: string): Triggers | null {
  const fields = readFrontmatter(content)?.fields;
  if (fields?.has('triggers')) return triggersOf(fields.get('triggers'));
  const metadata = fields?.get('metadata');
  return metadata instanceof Map && metadata.has('triggers') ? triggersOf(metadata.get('triggers')) : null;
}

/** The file patterns of a skill: of its frontmatter where it has triggers, else of an old `## Activation` section. */
export function parseActivationPatterns(content: string): string[] {
  return parseTriggers(content).filePatterns;
}

/** The keywords of a skill: of its frontmatter where it has triggers, else of an old `Keywords:` line. */
export function parseKeywords(content: string): string[] {
  return parseTriggers(content).keywords;
}

/** All triggers of a skill, from wherever they are written. */
export function parseTriggers(content: string): Triggers {
  return parseTriggersFrontmatter(content) ?? legacyActivation(content);
}

/**
 * Writes triggers where both CLIs let them pass: as a JSON string under `metadata`. Throws a BatonError `frontmatter`
 * where the frontmatter cannot be edited.
 */
export function setTriggers(content: string, { filePatterns, keywords, alwaysActivate }: Triggers): string {
  const value = { files: filePatterns, keywords, ...(alwaysActivate ? { alwaysActivate } : {}) };
  // A key at the top would be read before the one that is written.
  const rest = removeFrontmatterKey(content, 'triggers');
  return setFrontmatterKey(rest, ['metadata', 'triggers'], JSON.stringify(value));
}

function triggersOf(raw: unknown): Triggers {
  const value = typeof raw === 'string' ? fromJson(raw) : raw;
  const fields: ReadonlyMap<unknown, unknown> = value instanceof Map ? value : new Map();
  return {
    filePatterns: texts(fields.get('files')),
    keywords: texts(fields.get('keywords')),
    alwaysActivate: String(fields.get('alwaysActivate')) === 'true',
  };
}

function fromJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? new Map(Object.entries(value)) : null;
  } catch {
    return null;
  }
}

/** The texts of a list, or of one value, in their order: trimmed, none empty, none twice. */
function texts(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  const found = items.flatMap((item) =>
    typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean'
      ? String(item).trim()
      : [],
  );
  return [...new Set(found)].filter((text) => text !== '');
}
