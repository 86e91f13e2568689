import { oneLine, truncate } from '../../core/text.ts';
import type { Finding } from '../finding.ts';
import type { Detector } from './detector.ts';

/** What the run's own evidence says already: violations of the boundary and the scope, and denials. */
export const facts: Detector = ({ result }) => [
  ...result.evidence.violations.map(({ kind, detail, actor }): Finding => {
    const file =
      kind === 'scope'
        ? (result.evidence.changes.find(({ path }) => detail.startsWith(`${path} `))?.path ?? null)
        : null;
    const who =
      actor === 'excluded-by-sandbox'
        ? '; the sandbox keeps the implementer from it, so look for another actor'
        : '';
    return {
      kind: kind === 'scope' ? 'out-of-scope' : 'boundary-violation',
      file,
      line: null,
      side: null,
      text: '',
      detail: kind === 'scope' ? detail : `${kind}: ${detail}${who}`,
    };
  }),
  ...(result.readOnlyViolation === true &&
  result.evidence.violations.every(({ kind }) => kind !== 'read-only')
    ? [bare('boundary-violation', '', 'something was written during a read-only run')]
    : []),
  ...result.agent.denials.map(({ tool, input, reason }) =>
    bare(
      'denied',
      truncate(oneLine(JSON.stringify(input) ?? ''), 200),
      `${tool} was not allowed${reason === null ? '' : `: ${oneLine(reason)}`}`,
    ),
  ),
];

function bare(kind: Finding['kind'], text: string, detail: string): Finding {
  return { kind, file: null, line: null, side: null, text, detail };
}
