import { mkdirSync } from 'node:fs';
import { BatonError, messageOf, UsageError } from '../core/errors.ts';
import { BATON_VERSION } from '../core/version.ts';
import type { FileBlock } from '../answers/file-block.ts';
import { inspectSkill } from '../publishing/own-skill/installed-skill.ts';
import { shippedSkill } from '../publishing/own-skill/shipped-skill.ts';
import {
  folderOf,
  projectPlace,
  removeMade,
  type SkillPlace,
  type SkillScope,
  standing,
  userPlace,
} from '../publishing/own-skill/skill-place.ts';
import { publish } from '../publishing/publish.ts';
import type { PublishedFile, PublishRecovery } from '../publishing/publish-contract.ts';
import { targetsOf, type TargetId } from '../targets/target.ts';
import { type RunChoice, treeAt } from './run-at.ts';

export interface SkillChoice extends Pick<RunChoice, 'cd' | 'env'> {
  /** `claude`, `codex` or `all`. */
  target: string;
  scope: SkillScope;
  /** Also writes over what a person edited, and over a newer version. */
  force: boolean;
}

/** What happens, or happened, to the skill of one agent product. */
export interface SkillChange {
  target: TargetId;
  scope: SkillScope;
  /** The skill's folder; absolute. */
  folder: string;
  /** By paths in that folder; where something is planned with a diff. */
  files: PublishedFile[];
  /** Why none of it is touched; null where it is not left alone as a whole. */
  left: string | null;
}

export interface SkillChanged {
  changes: SkillChange[];
  /** False where nothing had to be done, or it was not agreed to. */
  written: boolean;
  recovered: PublishRecovery[];
}

/** Shown what would be written, answers whether it shall be. */
export type AgreeToSkill = (planned: SkillChanged) => Promise<boolean>;

/** Installs the skill that teaches an orchestrator to use baton, or brings it to this version. */
export function installSkill(choice: SkillChoice, agree: AgreeToSkill): Promise<SkillChanged> {
  const shipped = shippedSkill();
  return change(choice, agree, (place) => {
    const { state, version, obsolete } = inspectSkill(place, shipped, choice.env);
    const newer = state === 'newer' && !choice.force;
    const left = `it is of baton ${version}, newer than this one (${BATON_VERSION}); --force writes over it`;
    return newer ? { left } : { files: shipped, removed: obsolete };
  });
}

/** Takes the skill out again: what baton wrote and nobody edited, and the folders that are empty then. */
export function uninstallSkill(
  choice: Omit<SkillChoice, 'force'>,
  agree: AgreeToSkill,
): Promise<SkillChanged> {
  const shipped = shippedSkill();
  return change({ ...choice, force: false }, agree, (place) => ({
    files: [],
    removed: inspectSkill(place, shipped, choice.env).files,
  }));
}

type Plan = { left: string } | { files: readonly FileBlock[]; removed: readonly string[] };

async function change(
  choice: SkillChoice,
  agree: AgreeToSkill,
  planFor: (place: SkillPlace) => Plan,
): Promise<SkillChanged> {
  const places = await placesOf(choice);
  const plans = places.map((place) => ({ place, plan: planFor(place) }));
  const planned: SkillChanged = { changes: [], written: false, recovered: [] };
  for (const { place, plan } of plans)
    planned.changes.push(await carriedOut(place, plan, choice, { dryRun: true }));
  const needed = planned.changes.some(({ files }) => files.some(({ status }) => status.startsWith('would-')));
  if (!needed || !(await agree(planned))) return planned;
  const done: SkillChanged = { changes: [], written: true, recovered: [] };
  for (const { place, plan } of plans) {
    const { recovered, ...changed } = await carriedOut(place, plan, choice, { dryRun: false });
    done.changes.push(changed);
    if (recovered) done.recovered.push(recovered);
  }
  return done;
}

async function carriedOut(
  place: SkillPlace,
  plan: Plan,
  { env, force }: SkillChoice,
  { dryRun }: { dryRun: boolean },
): Promise<SkillChange & { recovered: PublishRecovery | null }> {
  const { target, scope } = place;
  const about = { target, scope, folder: folderOf(place), left: null };
  if ('left' in plan) return { ...about, left: plan.left, files: [], recovered: null };
  if (!dryRun && plan.files.length > 0) makeRoot(place);
  const { root, below } = standing(place);
  const { files, recovered } = await publish({
    root,
    files: plan.files.map(({ path, content }) => ({ path: `${below}/${path}`, content })),
    removed: plan.removed.map((path) => `${below}/${path}`),
    allowed: { folders: [below], names: [] },
    nested: false,
    options: { dryRun, force, mark: true, env },
  });
  if (!dryRun && plan.files.length === 0) removeMade(place);
  return {
    ...about,
    files: files.map((file) => ({ ...file, path: file.path.slice(below.length + 1) })),
    recovered,
  };
}

function makeRoot({ root }: SkillPlace): void {
  try {
    mkdirSync(root, { recursive: true });
  } catch (error) {
    throw new BatonError('publish', `nothing was changed: ${root} cannot be made: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function placesOf({ cd, env, target, scope }: SkillChoice): Promise<SkillPlace[]> {
  const targets = targetsOf(target);
  if (scope === 'user') return targets.map(({ id }) => userPlace(id, env));
  const { repository } = await treeAt({ cd, env });
  if ('problem' in repository) {
    const own = `go into a repository, name one with --cd, or say --user`;
    throw new UsageError(`--project needs a repository: ${repository.detail}`, {
      hint: repository.problem === 'none' ? own : repository.hint,
    });
  }
  return targets.map(({ id }) => projectPlace(id, repository.top));
}
