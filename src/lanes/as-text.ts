/** A value of a file in a message: on one line, not for ever, with nothing in it that is not seen, however deeply it is nested. */
export function asText(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = (JSON.stringify(value) ?? typeof value).replace(
    /[\u007f-\u009f\u2028\u2029]|\p{Cf}/gu,
    (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
