/** What is wrong with a brief. An error makes `dispatch --check-brief` refuse it. */
export interface BriefFinding {
  rule:
    | 'blank'
    | 'too-large'
    | 'not-filled-in'
    | 'no-gates'
    | 'no-scope'
    | 'no-commit-policy'
    | 'several-tasks'
    | 'missing-path'
    | 'missing-command'
    | 'constraint-left-out';
  severity: 'error' | 'warning';
  /** From 1; null where it is about the whole. */
  line: number | null;
  message: string;
  remedy: string;
}
