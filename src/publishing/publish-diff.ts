/** A larger difference is not worked out: it may take minutes, and nobody reads it. */
const TIMEOUT_MS = 2000;
const MAX_LENGTH = 256 * 1024;

/** What would change, as a unified diff. The library is loaded only where somebody wants to see it. */
export async function unifiedDiff(path: string, before: string | null, after: string): Promise<string> {
  const [from, to] = [before === null ? '/dev/null' : `a/${path}`, `b/${path}`];
  if (Math.max(before?.length ?? 0, after.length) > MAX_LENGTH)
    return `--- ${from}\n+++ ${to}\n(too large to be shown)\n`;
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff');
  const diff = createTwoFilesPatch(from, to, before ?? '', after, undefined, undefined, {
    context: 3,
    timeout: TIMEOUT_MS,
    headerOptions: FILE_HEADERS_ONLY,
  });
  return diff ?? `--- ${from}\n+++ ${to}\n(too different to be shown)\n`;
}
