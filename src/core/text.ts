/** At most `max` UTF-16 units of `text`, marked with an ellipsis where cut, never splitting a surrogate pair. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = Math.max(0, max - 1);
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return `${text.slice(0, end)}…`;
}

/** The text on one line: runs of white space become a space, control characters (escape sequences among them) go. */
export function oneLine(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text
    .replace(/\u001b\[[0-?]*[ -/]*[@-~]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, '')
    .trim();
}

/** The last `count` lines that are not blank. */
export function lastLines(text: string, count: number): string[] {
  return text
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(-count);
}
