import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { instructionFiles, instructionSource } from '../../src/generate/instruction-files.ts';
import { withMark } from '../../src/publishing/ownership.ts';
import { targetsOf } from '../../src/targets/target.ts';
import { surroundings } from '../support/environment.ts';
import { temporaryFolder } from '../support/temporary.ts';

function folderWith(files: { [path: string]: string }): string {
  const dir = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

describe('the one source', () => {
  it.each([
    ['all', {}, 'AGENTS.md'],
    ['codex', { 'CLAUDE.md': 'x' }, 'AGENTS.md'],
    ['claude', {}, 'CLAUDE.md'],
    ['claude', { 'CLAUDE.md': 'x' }, 'CLAUDE.md'],
    ['claude', { 'AGENTS.md': 'x' }, null],
  ])('for %s in %j is %s', (name, files, source) => {
    expect(instructionSource(folderWith(files), targetsOf(name))).toBe(source);
  });
});

describe('the files from it', () => {
  const AGENTS = { path: 'AGENTS.md', content: 'Rules.\n' };
  const made = (files: { [path: string]: string }, name = 'all', source: typeof AGENTS | null = AGENTS) =>
    instructionFiles(folderWith(files), targetsOf(name), source, surroundings().env);

  it.each([
    ['none', {}, '@AGENTS.md\n'],
    ['a person’s', { 'CLAUDE.md': 'Mine.\n' }, '@AGENTS.md\n\nMine.\n'],
    ['one with a mark of its byte order', { 'CLAUDE.md': '\ufeffMine.\n' }, '@AGENTS.md\n\nMine.\n'],
    ['one that baton made alone', { 'CLAUDE.md': withMark('The same rules.\n') }, '@AGENTS.md\n'],
    ['a blank one', { 'CLAUDE.md': ' \n' }, '@AGENTS.md\n'],
  ])('where CLAUDE.md is %s', (_, files, claude) => {
    expect(made(files).files).toEqual([AGENTS, { path: 'CLAUDE.md', content: claude }]);
  });

  it.each([['@AGENTS.md\n\nMine.\n'], ['# Notes\n\n@./AGENTS.md\n']])(
    'leave a CLAUDE.md that takes it in: %j',
    (claude) => {
      expect(made({ 'CLAUDE.md': claude }).files).toEqual([AGENTS]);
    },
  );

  it.each([
    ['CLAUDE.md', 'AGENTS.md', 'all'],
    ['AGENTS.md', 'CLAUDE.md', 'all'],
    ['CLAUDE.md', 'AGENTS.md', 'codex'],
    ['AGENTS.md', 'CLAUDE.md', 'claude'],
  ])('are one where %s is a link to %s, for %s', (link, real, name) => {
    const top = folderWith({ [real]: 'Rules of today.\n' });
    symlinkSync(real, join(top, link));
    expect(instructionSource(top, targetsOf(name))).toBe(real);
    const source = { path: real, content: 'x' };
    expect(instructionFiles(top, targetsOf(name), source, surroundings().env).files).toEqual([source]);
  });

  it('are none for claude where its own is a link to the other', () => {
    const top = folderWith({ 'AGENTS.md': 'Rules of today.\n' });
    symlinkSync('AGENTS.md', join(top, 'CLAUDE.md'));
    expect(instructionSource(top, targetsOf('claude'))).toBeNull();
    expect(instructionFiles(top, targetsOf('claude'), null, surroundings().env).files).toEqual([]);
  });

  it('are only those of the target', () => {
    expect(made({}, 'codex').files).toEqual([AGENTS]);
    expect(made({}, 'claude', { path: 'CLAUDE.md', content: 'x' }).files).toEqual([
      { path: 'CLAUDE.md', content: 'x' },
    ]);
    expect(made({ 'AGENTS.md': 'x' }, 'claude', null).files).toEqual([
      { path: 'CLAUDE.md', content: '@AGENTS.md\n' },
    ]);
    expect(made({}, 'all', null).files).toEqual([]);
  });

  it('say where codex stops reading', () => {
    const { notes } = made({}, 'codex', { path: 'AGENTS.md', content: 'x'.repeat(33 * 1024) });
    expect(notes).toEqual(['AGENTS.md has more than 32768 bytes: codex reads no further']);
  });
});
