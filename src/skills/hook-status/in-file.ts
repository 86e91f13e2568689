import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, systemCode } from '../../core/errors.ts';
import { objectOf } from '../../core/json.ts';
import type { Target } from '../../targets/target.ts';
import { ACTIVATION_HOOKS } from '../activation-hooks.ts';
import { type HookEntry, ownEntries } from '../hook-entries.ts';
import { hookMergeOptions } from '../hook-template.ts';
import { childrenOf, JsonRefused, readJsonText } from '../json-text.ts';

/** What stands in a target's settings file of ours. */
export interface InFile {
  /** `unreadable`: it is no JSON that the CLI would take. */
  state: 'absent' | 'some' | 'all' | 'unreadable';
  /** Why it is unreadable, or what is missing. */
  detail: string | null;
  /** The commands of ours. */
  commands: string[];
  /** Where ours stand, as claude writes it: `hooks.UserPromptSubmit.0.hooks.0`. */
  paths: string[];
}

/** Looks for our hooks in the settings file of a target, as the CLI would read it. */
export function hooksInFile(root: string, target: Target): InFile {
  let text: string;
  try {
    text = readFileSync(join(root, target.settings), 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return none();
    return {
      state: 'unreadable',
      detail: `${target.settings} cannot be read: ${messageOf(error)}`,
      commands: [],
      paths: [],
    };
  }
  try {
    const { markers } = hookMergeOptions(target, root);
    const marked = ownEntries(text, readJsonText(text), markers, []).hooks.filter(
      ({ ours }) => ours.kind === 'marked',
    );
    const there = new Set(marked.map(({ event, ours }) => `${event} ${ours.name}`));
    const missing = ACTIVATION_HOOKS.filter(({ event, name }) => !there.has(`${event} ${name}`));
    if (missing.length === ACTIVATION_HOOKS.length) return none();
    const found = { commands: marked.map(({ command }) => command), paths: marked.map(pathOf) };
    if (missing.length === 0) return { state: 'all', detail: null, ...found };
    return {
      state: 'some',
      detail: `not installed: ${missing.map(({ name }) => name).join(', ')}`,
      ...found,
    };
  } catch (error) {
    if (!(error instanceof JsonRefused)) throw error;
    const { line, message } = error.refusal;
    const where = line === null ? target.settings : `${target.settings}, line ${line}`;
    return { state: 'unreadable', detail: `${where}: ${message}`, commands: [], paths: [] };
  }
}

/** A settings file as a JSON object; empty where there is none, or it is no JSON. */
export function settingsIn(path: string): { [key: string]: unknown } {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8').replace(/^\ufeff/, ''));
    return objectOf(value);
  } catch {
    return {};
  }
}

function pathOf({ event, places: [hook, group] }: HookEntry): string {
  const at = (place: typeof hook): number => (place ? childrenOf(place.container).indexOf(place.child) : -1);
  return `hooks.${event}.${at(group)}.hooks.${at(hook)}`;
}

function none(): InFile {
  return { state: 'absent', detail: null, commands: [], paths: [] };
}
