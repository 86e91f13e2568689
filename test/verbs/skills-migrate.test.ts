import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { migrate, planMigration } from '../../src/verbs/skills-migrate.ts';
import { surroundings } from '../support/environment.ts';
import { makeRepository } from '../support/repository.ts';

const OLD = '---\nname: a\ndescription: Use when: a\n---\n';

async function planned() {
  const { root, env } = surroundings();
  const dir = join(root, 'repo');
  mkdirSync(dir);
  const { dir: top } = makeRepository({
    dir,
    files: { '.claude/skills/a/skill.md': OLD, '.claude/skills/b/SKILL.md': OLD },
  });
  const read = (path: string) => readFileSync(join(top, '.claude/skills', path), 'utf8');
  return { root, top, read, plan: await planMigration({ cd: top, env }) };
}

describe('between the plan and the yes', () => {
  test('a file that was changed is left as it is', async () => {
    const { top, read, plan } = await planned();
    expect(plan.migrations.map(({ path }) => path)).toEqual([
      '.claude/skills/b/SKILL.md',
      '.claude/skills/a/skill.md',
    ]);
    writeFileSync(join(top, '.claude/skills/b/SKILL.md'), 'mine\n');
    expect(() => migrate(plan)).toThrow(
      '.claude/skills/b/SKILL.md is not migrated: it was changed meanwhile',
    );
    expect([read('b/SKILL.md'), read('a/skill.md')]).toEqual(['mine\n', OLD]);
  });

  test('a SKILL.md that came is not written over', async () => {
    const { top, read, plan } = await planned();
    writeFileSync(join(top, '.claude/skills/a/SKILL.md'), 'mine\n');
    expect(() => migrate(plan)).toThrow('there is a SKILL.md beside it');
    expect([read('a/SKILL.md'), read('a/skill.md')]).toEqual(['mine\n', OLD]);
  });

  test('a folder that became a link is not followed', async () => {
    const { root, top, plan } = await planned();
    const outside = join(root, 'outside');
    renameSync(join(top, '.claude/skills'), outside);
    symlinkSync(outside, join(top, '.claude/skills'));
    expect(() => migrate(plan)).toThrow('changed meanwhile');
    expect(readFileSync(join(outside, 'a/skill.md'), 'utf8')).toBe(OLD);
  });
});

test('bytes that are no UTF-8 are not decoded and written back', async () => {
  const { root, env } = surroundings();
  const dir = join(root, 'repo');
  mkdirSync(join(dir, '.claude/skills/a'), { recursive: true });
  const { dir: top } = makeRepository({ dir });
  writeFileSync(join(top, '.claude/skills/a/skill.md'), Buffer.from(OLD + 'caf\u00e9\n', 'latin1'));
  const { migrations, problems } = await planMigration({ cd: top, env });
  expect(migrations).toEqual([]);
  expect(problems).toEqual(['.claude/skills/a/skill.md: it is not UTF-8, and is left as it is']);
});
