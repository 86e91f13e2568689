import { truncate } from '../../core/text.ts';
import { CODE_SPAN } from '../blocks.ts';
import type { BriefFinding } from './finding.ts';
import { leftOut } from './constraints.ts';
import { missingCommands, namesGate } from './commands.ts';
import { missingPaths } from './paths.ts';
import type { BriefSubject } from './subject.ts';

/** Of a brief that goes to stdin; large context belongs into files. */
const MOST_BYTES = 10_000_000;

/** What is wrong with a brief, errors first, then by line. Pure but for what `place` looks up. */
export function checkBrief(subject: BriefSubject): BriefFinding[] {
  if (subject.text.trim() === '') return [BLANK];
  const findings = RULES.flatMap((rule) => rule(subject));
  return findings.sort(
    (a, b) =>
      Number(a.severity === 'warning') - Number(b.severity === 'warning') || (a.line ?? 0) - (b.line ?? 0),
  );
}

type Rule = (subject: BriefSubject) => BriefFinding[];

const BLANK: BriefFinding = {
  rule: 'blank',
  severity: 'error',
  line: null,
  message: 'the brief is blank',
  remedy: 'begin with `baton brief new`',
};

const tooLarge: Rule = ({ bytes }) =>
  bytes <= MOST_BYTES
    ? []
    : [
        {
          rule: 'too-large',
          severity: 'error',
          line: null,
          message: `the brief has ${bytes} bytes, the limit is ${MOST_BYTES}`,
          remedy: 'put large context into files, and name them',
        },
      ];

const notFilledIn: Rule = ({ lines }) =>
  lines.flatMap(({ number, text, fenced }) => {
    // "Replace each `TODO: x`" speaks of the code.
    const gap = fenced ? null : /\[fill in\b[^\]]*\]?|\bTODO\b:|\bTBD\b/.exec(text.replace(CODE_SPAN, '``'));
    return gap
      ? [
          {
            rule: 'not-filled-in',
            severity: 'error',
            line: number,
            message: `this is not filled in: ${truncate(gap[0], 200)}`,
            remedy: 'write it, or take the sentence out',
          } satisfies BriefFinding,
        ]
      : [];
  });

const noGates: Rule = (subject) =>
  subject.readOnly || namesGate(subject.lines)
    ? []
    : [
        {
          rule: 'no-gates',
          severity: 'error',
          line: blockLine(subject, 'verification_loop'),
          message: 'no command is named that must pass',
          remedy: 'name the gates in backquotes, such as `npm test`; `baton gates detect` proposes some',
        },
      ];

const SCOPE =
  /\b(?:only|nothing (?:else|but)|no other|leave|stay within|outside|out of scope|may change|scope|limited to|restrict(?:ed)? to|do(?:n['’]t| not) (?:touch|change|edit|modify))\b/i;

const noScope: Rule = (subject) => {
  const { lines, touch, readOnly } = subject;
  return readOnly || touch.length > 0 || lines.some(({ text, fenced }) => !fenced && SCOPE.test(text))
    ? []
    : [
        {
          rule: 'no-scope',
          severity: 'error',
          line: blockLine(subject, 'repo_constraints'),
          message: 'nothing says what may change and what may not',
          remedy: 'write "Only these paths may change: …", or give --touch',
        },
      ];
};

const POLICY =
  /\b(?:do not|don['’]t|never|must not|no|not|without)\b[^.!?]{0,60}\bcommit|\bcommits? (?:is|are|will be) (?:made|done) by\b|\bleave\b[^.!?]{0,40}\buncommitted\b/i;

const noCommitPolicy: Rule = (subject) =>
  subject.readOnly || subject.lines.some(({ text, fenced }) => !fenced && POLICY.test(text))
    ? []
    : [
        {
          rule: 'no-commit-policy',
          severity: 'error',
          line: blockLine(subject, 'action_safety'),
          message: 'nothing says that the implementer must not commit',
          remedy: 'write "Do not commit, stage, stash or push."',
        },
      ];

const ANOTHER =
  /\b(?:additionally|while you(?:['’]re| are) (?:at it|there))\b|(?:^|[.!?]\s)in addition\b(?! to)/i;
const NUMBERED = /^\s*(?:#{1,6}\s*|(?:[-*+]|\d{1,3}[.)])\s+)?(?:\*\*)?(?:task|job|todo)\s*#?\d+\b/i;

const severalTasks: Rule = ({ lines }) => {
  const hasBlock = lines.some(({ block }) => block === 'task');
  const spoken = lines.filter(({ fenced, block }) => !fenced && (!hasBlock || block === 'task'));
  const openings = lines.filter(({ text, fenced }) => !fenced && /^\s*<task>\s*$/.test(text));
  const second =
    openings[1] ??
    spoken.filter(({ text }) => NUMBERED.test(text))[1] ??
    spoken.find(({ text }) => ANOTHER.test(text));
  return second
    ? [
        {
          rule: 'several-tasks',
          severity: 'warning',
          line: second.number,
          message: 'this looks like a second task',
          remedy: 'one outcome a brief: dispatch the second after the first has landed',
        },
      ]
    : [];
};

const RULES: readonly Rule[] = [
  tooLarge,
  notFilledIn,
  noGates,
  noScope,
  noCommitPolicy,
  severalTasks,
  missingPaths,
  missingCommands,
  leftOut,
];

function blockLine({ lines }: BriefSubject, name: string): number | null {
  return lines.find(({ block }) => block === name)?.number ?? null;
}
