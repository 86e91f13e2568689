/** A larger difference is not worked out: it may take minutes, and nobody reads it. */
const TIMEOUT_MS = 2000;

/** What would change, as a unified diff. The library is loaded only where somebody wants to see it. */
export async function unifiedDiff(path: string, before: string | null, after: string): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff');
  const [from, to] = [before === null ? '/dev/null' : `a/${path}`, `b/${path}`];
  const diff = createTwoFilesPatch(from, to, before ?? '', after, undefined, undefined, {
    context: 3,
    timeout: TIMEOUT_MS,
    headerOptions: FILE_HEADERS_ONLY,
  });
  return diff ?? `--- ${from}\n+++ ${to}\n(too different to be shown)\n`;
}
