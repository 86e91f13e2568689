import { isObject, type JsonObject } from '../../core/json.ts';

/** A manifest as text, without its byte order mark; '' where there is none. */
export function textOf(bytes: Buffer | null): string {
  return bytes?.toString('utf8').replace(/^\ufeff/, '') ?? '';
}

/** A JSON manifest; null where there is none, or where it is damaged. */
export function jsonOf(bytes: Buffer | null): JsonObject | null {
  try {
    const value: unknown = JSON.parse(textOf(bytes));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
