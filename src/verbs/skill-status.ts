import { join } from 'node:path';
import {
  type InstalledSkill,
  inspectSkill,
  type SkillState,
} from '../publishing/own-skill/installed-skill.ts';
import { shippedSkill } from '../publishing/own-skill/shipped-skill.ts';
import {
  folderOf,
  projectPlace,
  realFile,
  type SkillPlace,
  type SkillScope,
  userPlace,
} from '../publishing/own-skill/skill-place.ts';
import type { EffectiveList, EffectiveSkill } from '../skills/effective/contract.ts';
import { OWN_SKILL } from '../skills/own-skill.ts';
import { targetsOf, type TargetId } from '../targets/target.ts';
import { type RunChoice, treeAt } from './run-at.ts';
import { effectiveSkills } from './skills-effective.ts';

/** How baton's own skill stands in one place. */
export interface SkillPlaceStatus {
  scope: SkillScope;
  /** The skill's folder; absolute. */
  folder: string;
  state: SkillState;
  /** Of the baton that it came with; null where it does not say. */
  version: string | null;
  /** Files that a person changed or wrote, by paths in the folder. */
  edited: string[];
  /** What is in the way, for a person. */
  problems: string[];
  /** Whether the CLI tells its model of it, when started in this directory; null where nothing lies there. */
  seen: boolean | null;
  /** Why it is not told of, or not as it was meant. */
  reasons: string[];
}

/** How baton's own skill stands with one agent product. */
export interface SkillStatus {
  target: TargetId;
  /** `asked`: the CLI itself said what it tells its model. `computed`: by the rules that it was seen to follow. */
  how: EffectiveList['how'];
  note: string;
  /** The repository first, where there is one. */
  places: SkillPlaceStatus[];
  /** Where the model reads of it; null for nowhere. It may be a place of somebody else's. */
  seenAt: string | null;
}

/** Looks where the skill lies, and whether each CLI, started in `cd`, really tells its model of it. */
export async function skillStatus(
  choice: Pick<RunChoice, 'cd' | 'env'> & { target: string },
): Promise<SkillStatus[]> {
  const targets = targetsOf(choice.target);
  const { repository } = await treeAt(choice);
  const top = 'top' in repository ? repository.top : null;
  const shipped = shippedSkill();
  const lists = await effectiveSkills(choice);
  return targets.map(({ id }): SkillStatus => {
    const list = lists.find(({ target }) => target === id);
    const skills = list?.skills ?? [];
    const places = [...(top === null ? [] : [projectPlace(id, top)]), userPlace(id, choice.env)];
    return {
      target: id,
      how: list?.how ?? 'computed',
      note: list?.note ?? '',
      places: places.map((place) => statusOf(place, inspectSkill(place, shipped, choice.env), skills)),
      seenAt: skills.find(({ name, status }) => name === OWN_SKILL && status !== 'missing')?.path ?? null,
    };
  });
}

function statusOf(
  place: SkillPlace,
  { state, version, edited, problems }: InstalledSkill,
  skills: readonly EffectiveSkill[],
): SkillPlaceStatus {
  const folder = folderOf(place);
  const about = { scope: place.scope, folder, state, version, edited, problems };
  const file = realFile(join(folder, 'SKILL.md'));
  if (file === null) return { ...about, seen: null, reasons: [] };
  const skill = skills.find(({ path }) => realFile(path) === file);
  if (!skill) return { ...about, seen: false, reasons: ['the CLI does not look there'] };
  const reasons = skill.reasons.map(({ detail }) => detail);
  return { ...about, seen: skill.status !== 'missing', reasons };
}
