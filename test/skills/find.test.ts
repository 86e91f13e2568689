import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findSkillFiles } from '../../src/skills/find.ts';
import { temporaryFolder } from '../support/temporary.ts';

function folderWith(...paths: string[]): string {
  const dir = temporaryFolder();
  for (const path of paths) {
    mkdirSync(join(dir, path, '..'), { recursive: true });
    writeFileSync(join(dir, path), '');
  }
  return dir;
}

function pathsIn(dir: string, options?: { skillFilename: string }): string[] {
  return findSkillFiles(dir, options).files.map(({ path }) => path.slice(dir.length + 1));
}

describe('finding skills', () => {
  test('takes that exact name only, sorted', () => {
    const dir = folderWith(
      'b/SKILL.md',
      'a/SKILL.md',
      'c/skill.md',
      'd/SKILL.md.bak',
      'SKILL.md',
      '.h/SKILL.md',
      'e/Skill.md',
    );
    expect(pathsIn(dir)).toEqual(['a/SKILL.md', 'b/SKILL.md']);
    expect(pathsIn(dir, { skillFilename: 'skill.md' })).toEqual(['c/skill.md']);
  });

  test('says how deep, and within which skill', () => {
    const dir = folderWith('a/SKILL.md', 'a/references/x/SKILL.md', 'group/b/SKILL.md');
    expect(findSkillFiles(dir).files).toMatchObject([
      { name: 'a', depth: 1, within: null },
      { name: 'x', depth: 3, within: 'a' },
      { name: 'b', depth: 2, within: null },
    ]);
  });

  test('goes round no circle, and names what is reached twice', () => {
    const dir = folderWith('a/SKILL.md', 'group/a/SKILL.md');
    symlinkSync('..', join(dir, 'a', 'up'));
    symlinkSync('.', join(dir, 'self'));
    symlinkSync('a', join(dir, 'b'));
    const { files, duplicates, problems } = findSkillFiles(dir);
    expect(files.map(({ path }) => path)).toEqual([join(dir, 'a/SKILL.md'), join(dir, 'group/a/SKILL.md')]);
    expect(duplicates).toEqual([
      { name: 'a', paths: [join(dir, 'a/SKILL.md'), join(dir, 'group/a/SKILL.md')] },
      { name: 'a', paths: [join(dir, 'a/SKILL.md'), join(dir, 'b/SKILL.md')] },
    ]);
    expect(problems).toEqual([]);
  });

  test('does not stop at a broken link', () => {
    const dir = folderWith('a/SKILL.md', 'z/SKILL.md');
    symlinkSync('nowhere', join(dir, 'm'));
    mkdirSync(join(dir, 'n'));
    symlinkSync('nowhere', join(dir, 'n', 'SKILL.md'));
    const { files, problems } = findSkillFiles(dir);
    expect(files.map(({ name }) => name)).toEqual(['a', 'z']);
    expect(problems).toEqual([
      { path: join(dir, 'm'), reason: 'a link to nowhere' },
      { path: join(dir, 'n/SKILL.md'), reason: 'a link to nowhere' },
    ]);
  });

  test('finds nothing where there is nothing', () => {
    expect(findSkillFiles(join(temporaryFolder(), 'none'))).toEqual({
      files: [],
      duplicates: [],
      problems: [],
    });
    expect(findSkillFiles(join(folderWith('file'), 'file')).problems).toHaveLength(1);
  });
});
