import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { effectiveForClaude } from '../../../src/skills/effective/claude.ts';
import { effectiveForCodex } from '../../../src/skills/effective/codex.ts';
import type { EffectiveList } from '../../../src/skills/effective/contract.ts';
import { type Surroundings, surroundings } from '../../support/environment.ts';
import { skill, writeOddSkills, writeSkill } from './odd-skills.ts';

interface World extends Surroundings {
  top: string;
}

function world(): World {
  const where = surroundings();
  const top = join(where.root, 'repo');
  mkdirSync(top);
  return { ...where, top };
}

function placeIn({ top, env }: World, cwd = top) {
  return { top, cwd, env };
}

/** `status name: why, why` in the order of the list, without what holds for small models only. */
function outline({ skills }: EffectiveList): string[] {
  return skills.map(({ status, name, reasons }) => {
    const codes = reasons.map(({ code }) => code).filter((code) => code !== 'small-window');
    return [`${status} ${name}`, ...(codes.length > 0 ? [codes.join(', ')] : [])].join(': ');
  });
}

describe('what claude sends', () => {
  test('of odd skills', () => {
    const where = world();
    writeOddSkills(join(where.top, '.claude', 'skills'));
    const list = effectiveForClaude(placeIn(where));
    expect(list).toMatchObject({ target: 'claude', how: 'computed' });
    expect(outline(list)).toEqual([
      'sent .hidden (hidden): name-differs',
      'sent blank: no-description',
      'sent bom',
      'sent broken: odd-frontmatter, no-description',
      'sent crlf',
      'sent folder (another-name): name-differs',
      'sent good',
      'missing deep: not-discovered',
      'sent lines',
      'cut long: too-long',
      `sent long-name (${'n'.repeat(65)}): name-differs`,
      'sent no-description: no-description',
      'sent no-frontmatter: no-description',
      'sent outer',
      'missing inner: not-discovered',
      'missing paths: hidden-by-paths',
      'missing person: not-for-model',
      'sent quotes',
      'sent twice: odd-frontmatter',
      'sent word',
      'missing lower: not-discovered',
    ]);
    const told = new Map(list.skills.map(({ name, description }) => [name, description]));
    expect(told.get('lines')).toBe('one two');
    expect(told.get('blank')).toBe('---');
    expect(told.get('broken')).toBe('Body of it');
    expect(told.get('no-frontmatter')).toBe('Only a body');
    expect(told.get('long')).toHaveLength(1536);
  });

  test('of the same name in several places: the personal one, then the nearest', () => {
    const where = world();
    const cwd = join(where.top, 'sub');
    for (const [folder, names] of [
      [where.home, ['a']],
      [cwd, ['a', 'b']],
      [where.top, ['a', 'b', 'c']],
      [where.root, ['outside']],
    ] as const) {
      for (const name of names)
        writeSkill(
          join(folder, '.claude', 'skills'),
          `${name}/SKILL.md`,
          skill(`name: ${name}`, 'description: x'),
        );
    }
    const list = effectiveForClaude(placeIn(where, cwd));
    const sent = list.skills.filter(({ status }) => status === 'sent');
    expect(sent.map(({ path, source }) => `${source} ${path}`)).toEqual([
      `personal ${join(where.home, '.claude/skills/a/SKILL.md')}`,
      `project ${join(cwd, '.claude/skills/b/SKILL.md')}`,
      `project ${join(where.top, '.claude/skills/c/SKILL.md')}`,
    ]);
    expect(outline(list).filter((line) => line.startsWith('missing'))).toEqual([
      'missing a: shadowed',
      'missing a: shadowed',
      'missing b: shadowed',
    ]);
  });

  test('of many: all names, and the descriptions that there is room for', () => {
    const where = world();
    for (let i = 100; i < 300; i += 1)
      writeSkill(
        join(where.top, '.claude', 'skills'),
        `skill${i}/SKILL.md`,
        skill(`name: skill${i}`, `description: ${'x'.repeat(i === 299 ? 5 : 300)}`),
      );
    const { skills } = effectiveForClaude(placeIn(where));
    const cut = skills.filter(({ reasons }) => reasons.some(({ code }) => code === 'list-cut'));
    expect(skills.filter(({ status }) => status === 'sent')).toHaveLength(72);
    expect(cut).toHaveLength(128);
    expect(cut[0]).toMatchObject({ name: 'skill171', status: 'cut', description: null });
    expect(skills.at(-1)).toMatchObject({ name: 'skill299', status: 'sent' });
    expect(skills[0]?.reasons.map(({ code }) => code)).toEqual(['small-window']);
  });
});

const REFUSED = [
  'sent another-name: name-differs',
  'missing blank: refused',
  'missing bom: refused',
  'missing broken: refused',
  'sent crlf',
  'sent good',
];

describe('what codex sends', () => {
  test('of odd skills, where codex cannot be asked', async () => {
    const where = world();
    writeOddSkills(join(where.top, '.agents', 'skills'));
    writeSkill(
      join(where.home, '.agents', 'skills'),
      'mine/SKILL.md',
      skill('name: mine', 'description: Mine.'),
    );
    const list = await effectiveForCodex(placeIn(where));
    expect(list).toMatchObject({ target: 'codex', how: 'computed' });
    expect(list.note).toContain('no executable `codex`');
    const lines = outline(list);
    expect(lines).toEqual(expect.arrayContaining(REFUSED));
    expect(lines.filter((line) => !REFUSED.includes(line))).toEqual([
      'sent mine',
      'missing .hidden: not-discovered',
      'sent deep',
      'sent lines',
      'cut long: too-long',
      'missing long-name: refused',
      'missing no-description: refused',
      'missing no-frontmatter: refused',
      'sent outer',
      'sent inner: phantom',
      'sent paths',
      'sent person',
      'sent quotes',
      'missing twice: refused',
      'missing word: refused',
      'missing lower: not-discovered',
    ]);
  });

  test('is what it says itself', async () => {
    const where = world();
    const folder = join(where.top, '.agents', 'skills');
    for (const name of ['cut', 'told', 'untold'])
      writeSkill(folder, `${name}/SKILL.md`, skill(`name: ${name}`, `description: The one that is ${name}.`));
    writeSkill(folder, 'dup/SKILL.md', skill('name: dup', 'description: a', 'description: b'));
    const text = `<skills_instructions>
### Skill roots
- \`r0\` = \`${folder}\`
### Available skills
- system: Of the CLI. (file: /opt/skills/system/SKILL.md)
- cut: The one (file: r0/cut/SKILL.md)
- dup: b (file: r0/dup/SKILL.md)
- told: The one that is told. (file: r0/told/SKILL.md)
</skills_instructions>`;
    writeFileSync(join(where.root, 'answer.json'), JSON.stringify([{ text }]));
    const fake = join(where.bin, 'codex');
    writeFileSync(
      fake,
      `#!/bin/sh\n[ "$1 $2" = 'debug prompt-input' ] && exec cat ${join(where.root, 'answer.json')}\nexit 1\n`,
    );
    chmodSync(fake, 0o755);
    const list = await effectiveForCodex(placeIn(where));
    expect(list).toMatchObject({ how: 'asked' });
    expect(outline(list)).toEqual([
      'cut cut: list-cut',
      'sent dup',
      'sent told',
      'missing untold: not-listed',
      'sent system',
    ]);
    expect(list.skills.map(({ description }) => description)).toEqual([
      'The one',
      'b',
      'The one that is told.',
      null,
      'Of the CLI.',
    ]);
    expect(list.skills.at(-1)?.source).toBe('other');
  });

  test('is computed where it fails to say', async () => {
    const where = world();
    const fake = join(where.bin, 'codex');
    writeFileSync(fake, '#!/bin/sh\nexit 2\n');
    chmodSync(fake, 0o755);
    expect(await effectiveForCodex(placeIn(where))).toMatchObject({
      how: 'computed',
      note: expect.stringContaining('did not answer'),
      skills: [],
    });
  });
});
