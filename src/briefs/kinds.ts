/** What a brief is for, and the blocks that it has, in their order. */
export const BRIEF_KINDS = {
  feature: [
    'task',
    'repo_constraints',
    'completeness_contract',
    'verification_loop',
    'action_safety',
    'structured_output_contract',
  ],
  debugging: [
    'task',
    'repo_constraints',
    'missing_context_gating',
    'verification_loop',
    'action_safety',
    'structured_output_contract',
  ],
  migration: [
    'task',
    'repo_constraints',
    'completeness_contract',
    'missing_context_gating',
    'verification_loop',
    'action_safety',
    'structured_output_contract',
  ],
  'read-only': [
    'task',
    'repo_constraints',
    'grounding_rules',
    'missing_context_gating',
    'verification_loop',
    'action_safety',
    'structured_output_contract',
  ],
  delta: [
    'task',
    'review_delta',
    'repo_constraints',
    'verification_loop',
    'action_safety',
    'structured_output_contract',
  ],
} as const satisfies { [kind: string]: readonly BlockName[] };

export type BriefKind = keyof typeof BRIEF_KINDS;

export type BlockName =
  | 'task'
  | 'repo_constraints'
  | 'verification_loop'
  | 'action_safety'
  | 'structured_output_contract'
  | 'completeness_contract'
  | 'missing_context_gating'
  | 'grounding_rules'
  | 'review_delta';

export function isBriefKind(word: string): word is BriefKind {
  return Object.hasOwn(BRIEF_KINDS, word);
}
