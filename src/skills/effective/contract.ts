import type { TargetId } from '../../targets/target.ts';

/** A skill, and what one agent CLI tells its model of it. */
export interface EffectiveSkill {
  target: TargetId;
  /** As the model reads it; for a skill that it does not read of, the name of its folder. */
  name: string;
  /** The skill's file; absolute. */
  path: string;
  /** `other`: of the CLI itself, a plugin or an administrator. */
  source: 'project' | 'personal' | 'other';
  /** `cut`: the model reads its name, and not the whole description. */
  status: 'sent' | 'cut' | 'missing';
  /** The description that the model reads; null where it reads none, or baton cannot tell which. */
  description: string | null;
  reasons: SkillReason[];
}

/** Why a skill is not sent as it was meant. */
export interface SkillReason {
  code:
    | 'not-discovered'
    | 'refused'
    | 'phantom'
    | 'shadowed'
    | 'hidden-by-paths'
    | 'not-for-model'
    | 'turned-off'
    | 'name-differs'
    | 'no-description'
    | 'odd-frontmatter'
    | 'too-long'
    | 'list-cut'
    | 'small-window'
    | 'not-listed';
  /** For a person. */
  detail: string;
}

/** All that one CLI sends. */
export interface EffectiveList {
  target: TargetId;
  /** `asked`: the CLI itself said it. `computed`: by the rules that the CLI was seen to follow. */
  how: 'asked' | 'computed';
  /** What to know of this list: the version that was seen, why the CLI was not asked. */
  note: string;
  skills: EffectiveSkill[];
}
