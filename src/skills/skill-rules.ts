/**
 * The rules by which a prompt or a file activates a skill: `skill-rules.json`. Lists and names are sorted, so that the
 * same skills always give the same bytes.
 */
export interface SkillRules {
  version: '2.0';
  skills: { [name: string]: SkillRule };
}

export interface SkillRule {
  type: 'base' | 'domain';
  enforcement: 'suggest';
  priority: 'critical' | 'high';
  scope: 'all';
  alwaysActivate: boolean;
  /** Globs relative to the top of the repository: `*`, `?`, `**`; dotfiles match, case counts, all else is literal. */
  filePatterns: string[];
  promptTriggers: {
    /** Matched at word boundaries, in any case. */
    keywords: string[];
    /** Regular expressions. */
    intentPatterns: string[];
  };
}

/** What a skill's frontmatter says of its activation. */
export interface Triggers {
  filePatterns: string[];
  keywords: string[];
  alwaysActivate: boolean;
}
