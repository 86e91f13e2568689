// The public API of `baton-relay/skills`: a prompt to an agent's text, its text to files, and the skills of a repository.
export { BatonError, UsageError } from './core/errors.ts';
export { resolveTimeout, type Limit } from './running/resolve-timeout.ts';
export { runClaude, runCodex, runLLM, type TextRun } from './running/text.ts';
export { TextRunError, type TextFailure } from './running/text-error.ts';
export type { TextOptions } from './running/text-options.ts';
export type { AgentEvent } from './implementers/events.ts';
export {
  snakeCase as normalizeCodexItemType,
  textOf as collectCodexText,
} from './implementers/codex/spellings.ts';
export { loadPrompt, type PromptOptions } from './prompts/load.ts';
export { TARGET_IDS, type Target, type TargetId } from './targets/target.ts';
export { extractRulesFromSkills, formatSkillRules } from './skills/extract-rules.ts';
export { findSkillFiles, type FoundSkills, type SkillFile } from './skills/find.ts';
export { type Frontmatter, readFrontmatter } from './skills/frontmatter.ts';
export { type FrontmatterKey, removeFrontmatterKey, setFrontmatterKey } from './skills/frontmatter-edit.ts';
export { sanitizePublishedContent } from './skills/published-content.ts';
export type { SkillFinding, SkillFindingRule } from './skills/skill-finding.ts';
export type { SkillRule, SkillRules, Triggers } from './skills/skill-rules.ts';
export {
  parseActivationPatterns,
  parseKeywords,
  parseTriggersFrontmatter,
  setTriggers,
} from './skills/triggers.ts';
export { generateDomainPatterns } from './skills/bash-patterns.ts';
export { replaceBetweenMarkers } from './skills/markers.ts';
export { type MatchedSkills, type MatchReason, matchSkills, type SkillMatch } from './skills/match.ts';
export { parseSkillRules, type RuleProblem } from './skills/read-rules.ts';
export { acceptFiles } from './answers/accept-files.ts';
export type {
  FileBlock,
  FileOutput,
  FileProblem,
  FileProblemKind,
  RejectedFile,
} from './answers/file-block.ts';
export { parseFileOutput } from './answers/parse-file-output.ts';
export {
  type AllowedPaths,
  getAllowedPaths,
  type SanitizedPath,
  sanitizePath,
} from './targets/sanitize-path.ts';
export { writeSkillFiles, writeTransformedFiles } from './publishing/publish.ts';
export type {
  PublishedFile,
  PublishOptions,
  PublishOutcome,
  PublishRecovery,
  PublishStatus,
} from './publishing/publish-contract.ts';
export type { HookMarkers } from './skills/hook-marker.ts';
export { JsonRefused, type JsonRefusal } from './skills/json-text.ts';
export {
  type HookCommand,
  type HookGroup,
  type MergeOptions,
  mergeSettings,
  type SettingsTemplate,
} from './skills/merge-settings.ts';
export { type UnmergeOptions, unmergeSettings } from './skills/unmerge-settings.ts';
export { type RepositoryScan, scanRepository, type ScanOptions } from './generate/scan/scan.ts';
export type { EffectiveList, EffectiveSkill, SkillReason } from './skills/effective/contract.ts';
export { effectiveSkills } from './verbs/skills-effective.ts';
export { type ListedSkill, listSkills, type SkillList } from './verbs/skills-list.ts';
export { validateSkillFiles } from './skills/validate.ts';
