import type { ReviewedRun } from '../../src/review/review.ts';
import type { Finding } from '../../src/review/finding.ts';
import { findingsOf } from '../../src/review/detect/all.ts';
import type { TimelineEntry } from '../../src/review/timeline.ts';
import { changed, resultFor, type Texts } from './reviewing.ts';

export interface PageOptions {
  before?: Texts;
  after?: Texts;
  entries?: TimelineEntry[];
  brief?: string;
  finalMessage?: string;
  findings?: Finding[];
}

/** A run as the report shows it, with real changes and events of the test's choice. */
export async function runWith(options: PageOptions): Promise<ReviewedRun> {
  const files = await changed(options.before ?? {}, options.after ?? {});
  const result = resultFor(files, { finalMessage: options.finalMessage ?? '' });
  const gates: ReviewedRun['gates'] = null;
  const entries = options.entries ?? [];
  const calls = entries.filter((entry) => entry.kind === 'tool');
  return {
    result,
    files,
    gates,
    brief: options.brief ?? 'Do the work.',
    timeline: { entries, leftOut: 0 },
    findings: [
      ...findingsOf({ result, files, gates, calls, testTexts: new Map() }),
      ...(options.findings ?? []),
    ],
    notReviewed: [],
  };
}

/** What somebody might write who wants a reader's browser to do something. Each sets `window.hacked` where it works. */
export const HOSTILE: readonly string[] = [
  '<script>window.hacked = 1</script>',
  '</script><script>window.hacked = 1</script>',
  '</style><script>window.hacked = 1</script>',
  '</pre></details><img src=x onerror="window.hacked = 1">',
  '"><svg onload=window.hacked=1>',
  "' onfocus='window.hacked=1' autofocus tabindex='0",
  '" onmouseover="window.hacked=1" x="',
  '<a href="javascript:window.hacked=1" id="hack-link">click</a>',
  'javascript:window.hacked=1',
  '<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
  '<meta http-equiv="refresh" content="0;url=data:text/html,<script>1</script>">',
  '<base href="https://example.invalid/"><link rel=stylesheet href="https://example.invalid/x.css">',
  '<!-- --!><script>window.hacked = 1</script>',
  '${window.hacked = 1}{{constructor.constructor("window.hacked=1")()}}',
  '&lt;script&gt;window.hacked=1&lt;/script&gt;&#60;script>window.hacked=1</script>',
  '\u202e<script>window.hacked = 1</script>\u2066',
  '<form action="https://example.invalid/"><button id="hack-button">x</button></form><style>body{display:none}</style>',
];
