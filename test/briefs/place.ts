import type { Place } from '../../src/briefs/check/subject.ts';
import { linesOf } from '../../src/briefs/blocks.ts';
import { checkBrief } from '../../src/briefs/check/check-brief.ts';
import type { BriefSubject } from '../../src/briefs/check/subject.ts';

const FILES = ['src/math.js', 'src/deep/only.ts', 'docs/a.md', 'package.json', 'run.sh'];

/** A project of a few files. */
export const PLACE: Place = {
  hasPath: (path) => {
    const plain = path
      .replace(/^\.\//, '')
      .replace(/\/?[^/]*[*?].*$/, '')
      .replace(/\/$/, '');
    return plain === '' || FILES.some((file) => file === plain || file.startsWith(`${plain}/`));
  },
  hasFileNamed: (name) => FILES.some((file) => file.endsWith(`/${name}`) || file === name),
  hasTopLevel: (name) => FILES.some((file) => file.split('/', 1)[0] === name),
  scripts: () => ['test', 'lint'],
  targets: () => ['all'],
  hasProgram: (name) => ['node', 'pytest'].includes(name),
};

/** `error 3 no-gates`, in the order in which they are told. */
export function rulesOf(text: string, more: Partial<BriefSubject> = {}): string[] {
  const findings = checkBrief({
    text,
    bytes: Buffer.byteLength(text),
    lines: linesOf(text),
    readOnly: false,
    touch: [],
    rules: [],
    place: PLACE,
    ...more,
  });
  return findings.map(({ severity, line, rule }) => `${severity} ${line ?? '-'} ${rule}`);
}

export const GOOD = `<task>
\`subtract\` in src/math.js adds. Make it subtract.
</task>
<repo_constraints>
Only \`src/math.js\` may change.
</repo_constraints>
<verification_loop>
- \`npm test\`
</verification_loop>
<action_safety>
Do not commit, stage, stash or push.
</action_safety>
`;
