import { managedFolder, settingsFiles } from '../../implementers/claude/settings.ts';
import { arrayOf, objectOf, stringOf } from '../../core/json.ts';
import { settingsIn } from '../hook-status/in-file.ts';
import type { Place } from './candidates.ts';
import type { EffectiveSkill } from './contract.ts';

/**
 * What claude's settings do to its skills: `skillOverrides`, the stronger file over the weaker for each skill, and
 * `permissions.deny` of the tool `Skill`, which takes the whole list away.
 */
export function bySettings(skills: readonly EffectiveSkill[], { cwd, env }: Place): EffectiveSkill[] {
  const { platform } = process;
  const files = settingsFiles({ cwd, env, platform, managedFolder: managedFolder(platform) }).map(
    ({ path }) => ({ path, settings: settingsIn(path) }),
  );
  const denies = (rule: string) =>
    files.find(({ settings }) => arrayOf(objectOf(settings['permissions'])['deny']).includes(rule))?.path;
  const noTool = denies('Skill');
  return skills.map((skill) => {
    if (skill.status === 'missing') return skill;
    if (noTool !== undefined) return withheld(skill, 'missing', `${noTool} denies the tool Skill`);
    const [folder = ''] = skill.name.split(' ');
    const file = files.findLast(({ settings }) => overrideIn(settings, folder) !== null);
    const override = file && overrideIn(file.settings, folder);
    const detail = `${file?.path} sets skillOverrides to ${JSON.stringify(override)}`;
    if (override === 'off' || override === 'user-invocable-only') return withheld(skill, 'missing', detail);
    return override === 'name-only' ? withheld(skill, 'cut', detail) : skill;
  });
}

function overrideIn(settings: { [key: string]: unknown }, name: string): string | null {
  const overrides = objectOf(settings['skillOverrides']);
  return Object.hasOwn(overrides, name) ? stringOf(overrides[name]) : null;
}

function withheld(skill: EffectiveSkill, status: 'missing' | 'cut', detail: string): EffectiveSkill {
  const reasons = [...skill.reasons, { code: 'turned-off' as const, detail }];
  return { ...skill, status, description: null, reasons };
}
