import { UsageError } from '../../core/errors.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import { MAX_TIMER_MS } from '../../core/duration.ts';

const DELAY = /^(\d+)(ms|s|m)$/;
const DELAY_UNITS: { [unit: string]: number } = { ms: 1, s: 1000, m: 60_000 };
const SIZE = /^(\d+)(B|KB|MB)$/;
const SIZE_UNITS: { [unit: string]: number } = { B: 1, KB: 1024, MB: 1024 ** 2 };
const MAX_SIZE = 1024 ** 3;

/**
 * One mapping of a script, read key by key. Every mistake is a `UsageError` that begins with the place
 * (`step 3 (write)`), names the key, and says what would be right.
 */
export class Fields {
  readonly where: string;
  readonly #values: JsonObject;

  private constructor(where: string, values: JsonObject) {
    this.where = where;
    this.#values = values;
  }

  /**
   * @param keys the allowed keys
   * @param shorthand the key that a value stands for when it is no mapping: `say: hello` is `say: {text: hello}`
   */
  static of(where: string, value: unknown, keys: readonly string[], shorthand?: string): Fields {
    if (value === null || value === undefined) return new Fields(where, {});
    if (!isObject(value)) {
      if (shorthand !== undefined) return new Fields(where, { [shorthand]: value });
      const rule = keys.length === 0 ? 'takes no value' : `must be a mapping with: ${keys.join(', ')}`;
      throw new UsageError(`${where}: ${rule}`);
    }
    for (const key of Object.keys(value)) {
      if (keys.includes(key)) continue;
      const rule = keys.length === 0 ? 'it takes none' : `allowed keys: ${keys.join(', ')}`;
      throw new UsageError(`${where}: unknown key ${JSON.stringify(key)}; ${rule}`);
    }
    return new Fields(where, value);
  }

  has(key: string): boolean {
    return this.#values[key] !== undefined && this.#values[key] !== null;
  }

  fail(key: string, rule: string): never {
    throw new UsageError(`${this.where}: ${key} ${rule}`);
  }

  text(key: string): string {
    if (!this.has(key)) this.fail(key, 'is missing');
    const value = this.#values[key];
    if (typeof value === 'string') return value;
    // YAML reads 1.10 as a number and `no` in a list as what it likes: guessing the text back loses digits.
    return this.fail(key, `must be a string (put it in quotes), not ${describe(value)}`);
  }

  optionalText(key: string): string | null {
    return this.has(key) ? this.text(key) : null;
  }

  flag(key: string, fallback = false): boolean {
    if (!this.has(key)) return fallback;
    const value = this.#values[key];
    return typeof value === 'boolean'
      ? value
      : this.fail(key, `must be true or false, not ${describe(value)}`);
  }

  /** A whole number from `min` to `max`; without a `fallback` the key is required. */
  whole(key: string, min: number, max: number, fallback?: number): number {
    if (!this.has(key)) return fallback ?? this.fail(key, 'is missing');
    const value = this.#values[key];
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
    return this.fail(key, `must be a whole number from ${min} to ${max}, not ${describe(value)}`);
  }

  /** Milliseconds of `50ms`, `2s`, `1m`. */
  delay(key: string, fallback?: number): number {
    return this.#measure(key, DELAY, DELAY_UNITS, MAX_TIMER_MS, 'a time such as 50ms, 2s or 1m', fallback);
  }

  /** Bytes of `100B`, `64KB`, `12MB` (1 KB is 1024 bytes), at most 1024 MB. */
  size(key: string, fallback?: number): number {
    return this.#measure(key, SIZE, SIZE_UNITS, MAX_SIZE, 'a size such as 100B, 64KB or 12MB', fallback);
  }

  #measure(
    key: string,
    form: RegExp,
    units: { [unit: string]: number },
    max: number,
    rule: string,
    fallback?: number,
  ): number {
    if (!this.has(key)) return fallback ?? this.fail(key, 'is missing');
    const value = this.#values[key];
    const [, digits, unit] = (typeof value === 'string' ? form.exec(value) : null) ?? [];
    const measure = Number(digits) * (units[unit ?? ''] ?? Number.NaN);
    return measure <= max ? measure : this.fail(key, `must be ${rule}, not ${describe(value)}`);
  }

  choice<C extends string>(key: string, choices: readonly C[], fallback?: C): C {
    if (!this.has(key)) return fallback ?? this.fail(key, `is missing; one of: ${choices.join(', ')}`);
    const value = this.#values[key];
    const chosen = choices.find((choice) => choice === value);
    return chosen ?? this.fail(key, `must be one of: ${choices.join(', ')}; not ${describe(value)}`);
  }

  /** The mapping at `key`; an empty one where it is absent. */
  object(key: string): JsonObject {
    if (!this.has(key)) return {};
    const value = this.#values[key];
    return isObject(value) ? value : this.fail(key, `must be a mapping, not ${describe(value)}`);
  }

  list(key: string): unknown[] {
    if (!this.has(key)) return [];
    const value = this.#values[key];
    return Array.isArray(value) ? value : this.fail(key, `must be a list, not ${describe(value)}`);
  }

  texts(key: string): string[] {
    return this.list(key).map((one) =>
      typeof one === 'string' ? one : this.fail(key, `must be a list of strings, not ${describe(one)}`),
    );
  }

  objects(key: string): JsonObject[] {
    return this.list(key).map((one) =>
      isObject(one) ? one : this.fail(key, `must be a list of mappings, not ${describe(one)}`),
    );
  }

  /** The bytes that `key`, named after its form, spells; white space in it means nothing. */
  bytes(key: 'base64' | 'hex'): Uint8Array {
    const compact = this.text(key).replace(/\s+/g, '');
    const form = key === 'hex' ? /^(?:[0-9a-f]{2})*$/i : /^[A-Za-z0-9+/]*={0,2}$/;
    // Buffer.from stops in silence at what it does not know.
    return form.test(compact) ? Buffer.from(compact, key) : this.fail(key, `is not ${key}`);
  }

  raw(key: string): unknown {
    return this.#values[key];
  }

  /** The one of these keys that is given. */
  oneOf<K extends string>(keys: readonly K[]): K {
    const [given, second] = keys.filter((key) => this.has(key));
    if (given === undefined || second !== undefined) {
      throw new UsageError(`${this.where}: give exactly one of ${keys.join(', ')}`);
    }
    return given;
  }
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'a mapping';
  return JSON.stringify(value) ?? 'nothing';
}
