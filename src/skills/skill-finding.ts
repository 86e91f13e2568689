/** What is looked for in the files of skills and instructions. */
export type SkillFindingRule =
  | 'truncated'
  | 'unclosed-tag'
  | 'byte-order-mark'
  | 'frontmatter-missing'
  | 'frontmatter-not-yaml'
  | 'needs-quotes'
  | 'name'
  | 'description'
  | 'field'
  | 'unknown-field'
  | 'too-short'
  | 'too-long'
  | 'missing-section'
  | 'missing-path'
  | 'not-discovered'
  | 'phantom';

export interface SkillFinding {
  /** Relative to the root, with `/`. */
  path: string;
  /** From 1; absent where it is about no line. */
  line?: number;
  /** `error`: an agent product refuses or misses it, or text is missing. `warning`: it works, and not as well as it could. */
  severity: 'error' | 'warning';
  rule: SkillFindingRule;
  /** For a person. */
  message: string;
}

/** A finding whose file is known from where it is made. */
export type FindingInFile = Omit<SkillFinding, 'path'>;
