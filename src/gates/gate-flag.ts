import { UsageError } from '../core/errors.ts';
import { DEFAULT_TIMEOUT_MS, GATE_NAME, type Gate } from './gate.ts';

/** The gates of `--gate 'name=command'`. Throws a UsageError for a bad pair, and for a name that was given twice. */
export function gatesFromFlags(pairs: readonly string[]): Gate[] {
  const gates = pairs.map((pair): Gate => {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, at));
    const command = pair.slice(at + 1);
    if (!GATE_NAME.test(name) || command.trim() === '' || command.includes('\0'))
      throw new UsageError(
        `--gate ${JSON.stringify(pair)} is not name=command: a name has letters, digits and . _ -, at most 64`,
      );
    return { name, command, cwd: '.', timeoutMs: DEFAULT_TIMEOUT_MS, env: {}, when: [], source: 'flag' };
  });
  const twice = gates.find(({ name }, at) => gates.findIndex((gate) => gate.name === name) !== at);
  if (twice) throw new UsageError(`--gate ${JSON.stringify(twice.name)} is given twice`);
  return gates;
}

/** A gate of a flag takes the place of the configured one of its name. */
export function withFlags(configured: readonly Gate[], flags: readonly Gate[]): Gate[] {
  const byName = new Map(flags.map((gate) => [gate.name, gate]));
  return [
    ...configured.map((gate) => {
      const own = byName.get(gate.name);
      byName.delete(gate.name);
      return own ?? gate;
    }),
    ...byName.values(),
  ];
}
