import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadPrompt, loadPromptFile } from '../../src/prompts/load.ts';
import { PROJECT } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary.ts';

function folderWith(files: { [path: string]: string }): string {
  const dir = temporaryFolder();
  mkdirSync(join(dir, 'partials'));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(dir, path), text);
  return dir;
}

describe('a prompt by name', () => {
  test('comes from the folder, byte for byte but for what is filled in', () => {
    const dir = folderWith({
      'greet.md': 'Hello {{name}},\r\n{{rules}}',
      'partials/rules.md': 'Be {{how}}.\n',
    });
    expect(loadPrompt('greet', { name: 'Ada', how: 'kind' }, { dir })).toBe('Hello Ada,\r\nBe kind.\n');
  });

  test('of the folder hides a shipped one, and so do its partials', () => {
    const dir = folderWith({ 'review.md': 'Mine: {{diff}}', 'partials/answer-only.md': 'ONLY' });
    expect(loadPrompt('review', { diff: 'x' }, { dir })).toBe('Mine: x');
    expect(loadPrompt('commit-message', { diff: 'x' }, { dir })).toContain('ONLY');
  });

  test('is no pipe, which would be waited for', () => {
    const dir = folderWith({ 'own.md': '{{rules}}' });
    execFileSync('mkfifo', [join(dir, 'partials', 'rules.md')]);
    expect(() => loadPrompt('own', {}, { dir })).toThrow('rules.md cannot be read: it is not a file');
  });

  test('may use shipped partials', () => {
    const dir = folderWith({ 'own.md': '{{answer-only}}' });
    expect(loadPrompt('own', {}, { dir })).toContain('no preamble');
  });

  test('falls back to the shipped ones, also where the folder is not there', () => {
    expect(loadPrompt('review', { diff: 'x' }, { dir: join(temporaryFolder(), 'none') })).toContain('x');
  });

  test('that is not there is named, with the places that were looked into', () => {
    const dir = folderWith({});
    expect(() => loadPrompt('nothing', {}, { dir })).toThrow(`"nothing": looked in ${dir} and `);
  });

  test.each(['../review', 'a/b', '..', '', 'review.md', '/etc/passwd', 'partials/quoted'])(
    '%j is no name',
    (name) => {
      expect(() => loadPrompt(name, {})).toThrow('is not a plain name');
    },
  );

  test('that is a folder is told', () => {
    const dir = folderWith({});
    mkdirSync(join(dir, 'odd.md'));
    expect(() => loadPrompt('odd', {}, { dir })).toThrow('odd.md cannot be read');
  });
});

describe('a prompt by file', () => {
  test('takes partials from beside it', () => {
    const dir = folderWith({ 'any.txt': '{{a}}{{p}}', 'partials/p.md': '!' });
    expect(loadPromptFile(join(dir, 'any.txt'), { a: '1' })).toBe('1!');
    expect(() => loadPromptFile(join(dir, 'any.txt'), {})).toThrow(
      `${join(dir, 'any.txt')}: {{a}} has no value`,
    );
    expect(() => loadPromptFile(join(dir, 'none.md'), {})).toThrow('none.md');
  });
});

describe('the shipped prompts', () => {
  const VARS: { [name: string]: { [name: string]: string } } = {
    brief: { task: 'THE VALUE' },
    'commit-message': { diff: 'THE VALUE' },
    review: { diff: 'THE VALUE' },
    'skills-base': { file: 'F', domains: 'D', today: 'T', scan: 'THE VALUE' },
    'skills-domain': { name: 'n', about: 'A', paths: 'P', file: 'F', today: 'T', scan: 'THE VALUE' },
    'skills-domains': { max: '8', existing: 'E', scan: 'THE VALUE' },
    'skills-instructions': { file: 'F', domains: 'D', today: 'T', scan: 'THE VALUE' },
    'skills-sync': { name: 'n', changed: 'C', file: 'F', today: 'T', diff: 'THE VALUE' },
  };

  test('are those that the documentation names', () => {
    const files = readdirSync(join(PROJECT, 'prompts')).filter((name) => name.endsWith('.md'));
    expect(files.map((name) => name.replace('.md', ''))).toEqual(Object.keys(VARS));
  });

  test.each(Object.entries(VARS))('%s is filled by %j, and nothing stays open', (name, vars) => {
    const text = loadPrompt(name, vars);
    expect(text.match(/THE VALUE/g)).toHaveLength(1);
    expect(text).not.toContain('{{');
    expect(() => loadPrompt(name, {})).toThrow('has no value');
  });
});
