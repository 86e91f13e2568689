// The public API of `baton-relay/skills`: agent text to files, and the skills of a repository.
export { TARGET_IDS, type Target, type TargetId } from './targets/target.ts';
