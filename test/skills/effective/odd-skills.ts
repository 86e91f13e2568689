import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A frontmatter with these lines, and a heading that tells whose body it is. */
export function skill(...lines: string[]): string {
  return `---\n${lines.join('\n')}\n---\n# Body of it\n\nText.\n`;
}

/** Skills as people write them, by their path below a folder of skills. */
const ODD: { [path: string]: string } = {
  'good/SKILL.md': skill('name: good', 'description: A good one.'),
  'crlf/SKILL.md': skill('name: crlf', 'description: With CRLF.').replaceAll('\n', '\r\n'),
  'lower/skill.md': skill('name: lower', 'description: Not found.'),
  'bom/SKILL.md': `\uFEFF${skill('name: bom', 'description: With a BOM.')}`,
  'blank/SKILL.md': `\n${skill('name: blank', 'description: After a blank line.')}`,
  'no-description/SKILL.md': skill('name: no-description'),
  'no-frontmatter/SKILL.md': '# Only a body\n',
  'twice/SKILL.md': skill('name: twice', 'description: One.', 'description: Two.'),
  'broken/SKILL.md': skill('name: broken', 'description: "never closed'),
  'folder/SKILL.md': skill('name: another-name', 'description: Its name differs.'),
  'long-name/SKILL.md': skill(`name: ${'n'.repeat(65)}`, 'description: Its name is long.'),
  'word/SKILL.md': skill('name: word', 'description: Metadata is a word.', 'metadata: word'),
  'quotes/SKILL.md': skill('name: quotes', 'description: Use when: a, b'),
  'lines/SKILL.md': skill('name: lines', 'description: |', '  one', '  two'),
  'paths/SKILL.md': skill('name: paths', 'description: For some files.', 'paths: ["src/**"]'),
  'person/SKILL.md': skill('name: person', 'description: For a person.', 'disable-model-invocation: true'),
  'long/SKILL.md': skill('name: long', `description: ${'long '.repeat(400)}end`),
  'outer/SKILL.md': skill('name: outer', 'description: Has a skill inside.'),
  'outer/references/inner/SKILL.md': skill('name: inner', 'description: Inside of outer.'),
  'group/deep/SKILL.md': skill('name: deep', 'description: Two levels deep.'),
  '.hidden/SKILL.md': skill('name: hidden', 'description: In a hidden folder.'),
};

/** Writes all of them below a folder, and a second way to one of them. */
export function writeOddSkills(folder: string): void {
  for (const [path, content] of Object.entries(ODD)) writeSkill(folder, path, content);
  symlinkSync('good', join(folder, 'linked'));
}

export function writeSkill(folder: string, path: string, content: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
