import { cutEntry, groupsOf, type HookEntry, hookOf, objectUnder, ownEntries } from './hook-entries.ts';
import { type HookMarkers, oursIn } from './hook-marker.ts';
import { append, replaceValue } from './json-splice.ts';
import { childrenOf, endOf, JsonRefused, lineAt, propertyOf, readJsonText, valueOf } from './json-text.ts';

/** A hook as it stands in settings: a command for the shell, and the seconds that it may take. */
export interface HookCommand {
  type: 'command';
  command: string;
  timeout?: number;
}

export interface HookGroup {
  /** The tools that it is for; without it, all. */
  matcher?: string;
  hooks: HookCommand[];
}

/** What settings shall have of ours. Each command carries the marker `baton-hook:<name>`. */
export interface SettingsTemplate {
  hooks: { [event: string]: HookGroup[] };
  /** Put where there is none, or one of ours. */
  statusLine?: { type: 'command'; command: string };
}

export interface MergeOptions {
  markers: HookMarkers;
  /** The only keys that the root may have; without it, any: codex refuses a whole file for one that it does not know. */
  rootKeys?: readonly string[];
}

/**
 * Puts the hooks of a template into the text of settings (null: there is no file yet). What is not ours stays byte for
 * byte and in its order; ours are put in once, at the end, or brought up to date where they stand with the matcher and
 * timeout that a user gave them. Merging again changes nothing. Throws a JsonRefused for a text that must not be edited.
 */
export function mergeSettings(
  existing: string | null,
  template: SettingsTemplate,
  options: MergeOptions,
): string {
  if (existing === null) return `${JSON.stringify(template, null, 2)}\n`;
  const wanted = wantedIn(template, options.markers);
  requireRootKeys(existing, options.rootKeys);
  const single = withoutSurplus(existing, wanted, options);
  const current = broughtUpToDate(single, wanted, options);
  const whole = completed(current, wanted, options);
  const merged = template.statusLine ? withStatusLine(whole, template.statusLine, options) : whole;
  readJsonText(merged); // an edit that would leave something else than JSON must not be written
  return merged;
}

interface Wanted {
  event: string;
  name: string;
  group: HookGroup;
  hook: HookCommand;
}

function wantedIn(template: SettingsTemplate, markers: HookMarkers): Wanted[] {
  return Object.entries(template.hooks).flatMap(([event, groups]) =>
    groups.flatMap((group) =>
      group.hooks.map((hook) => {
        const ours = oursIn(hook.command, markers);
        // Without a mark it could not be found again, and each merge would add it once more.
        if (!ours) throw new TypeError(`a command of the template has no marker: ${hook.command}`);
        return { event, name: ours.name, group, hook };
      }),
    ),
  );
}

/** The entry that stands for each wanted hook: the first of its name on its event, else an old one without a name. */
function standing(entries: readonly HookEntry[], wanted: readonly Wanted[]): Map<Wanted, HookEntry> {
  const chosen = new Map<Wanted, HookEntry>();
  for (const kind of ['marked', 'legacy'] as const) {
    for (const one of wanted.filter((each) => !chosen.has(each))) {
      const taken = [...chosen.values()];
      const entry = entries.find(
        (each) =>
          each.event === one.event &&
          each.ours.kind === kind &&
          (kind === 'legacy' || each.ours.name === one.name) &&
          !taken.includes(each),
      );
      if (entry) chosen.set(one, entry);
    }
  }
  return chosen;
}

/** One text and what stands in it: an edit makes a new one. */
function look(text: string, wanted: readonly Wanted[], { markers }: MergeOptions) {
  const root = readJsonText(text);
  const events = [...new Set(wanted.map(({ event }) => event))];
  const { hooks, statusLine } = ownEntries(text, root, markers, events);
  return { root, entries: hooks, statusLine, standing: standing(hooks, wanted) };
}

/** Ours that the template does not have, or has once already, go. */
function withoutSurplus(text: string, wanted: readonly Wanted[], options: MergeOptions): string {
  const seen = look(text, wanted, options);
  const kept = new Set(seen.standing.values());
  const surplus = seen.entries.find((entry) => !kept.has(entry));
  if (!surplus) return text;
  return withoutSurplus(cutEntry(text, surplus, ['hooks']), wanted, options);
}

/** Old commands are replaced where they stand: codex knows the hooks that it trusts by their place. */
function broughtUpToDate(text: string, wanted: readonly Wanted[], options: MergeOptions): string {
  for (const [{ hook }, entry] of look(text, wanted, options).standing) {
    if (entry.command === hook.command) continue;
    const property = propertyOf(text, hookOf(entry), 'command');
    const old = property && valueOf(property);
    if (old) return broughtUpToDate(replaceValue(text, old, JSON.stringify(hook.command)), wanted, options);
  }
  return text;
}

/** What is missing goes to the end: of the event's groups, of the events, of the file. */
function completed(text: string, wanted: readonly Wanted[], options: MergeOptions): string {
  const { root, standing: there } = look(text, wanted, options);
  const missing = new Map<string, HookGroup[]>();
  for (const one of wanted.filter((each) => !there.has(each))) {
    const { hooks: _, ...head } = one.group;
    missing.set(one.event, [...(missing.get(one.event) ?? []), { ...head, hooks: [one.hook] }]);
  }
  for (const [event, groups] of missing) {
    const array = groupsOf(text, root, event);
    if (!array) continue;
    const added = groups.map((value) => ({ value }));
    return completed(append(text, root, array, added), wanted, options);
  }
  if (missing.size === 0) return text;
  const hooks = objectUnder(text, root, 'hooks');
  return hooks
    ? append(
        text,
        root,
        hooks,
        [...missing].map(([key, value]) => ({ key, value })),
      )
    : append(text, root, root, [{ key: 'hooks', value: Object.fromEntries(missing) }]);
}

function withStatusLine(text: string, line: object, options: MergeOptions): string {
  const { root, statusLine } = look(text, [], options);
  const standing = propertyOf(text, root, 'statusLine');
  if (!standing) return append(text, root, root, [{ key: 'statusLine', value: line }]);
  const value = valueOf(standing);
  if (!statusLine || !value) return text;
  const same = JSON.stringify(JSON.parse(text.slice(value.offset, endOf(value)))) === JSON.stringify(line);
  return same ? text : replaceValue(text, value, JSON.stringify(line));
}

function requireRootKeys(text: string, allowed: readonly string[] | undefined): void {
  const root = readJsonText(text);
  if (!allowed || root.type !== 'object') return;
  for (const property of childrenOf(root)) {
    const key: unknown = property.children?.[0]?.value;
    if (typeof key !== 'string' || allowed.includes(key)) continue;
    throw new JsonRefused({
      code: 'unknown-key',
      line: lineAt(text, property.offset),
      message: `the key ${JSON.stringify(key)} is none of ${allowed.join(', ')}`,
    });
  }
}
