import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isResidue, readResidue, removeResidue } from '../../src/evidence/residue.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** What claude 2.1.332 was seen to leave in its working directory when it was killed. */
const SEEN = [
  '.bash_profile .bashrc .gitconfig .gitmodules .idea .mcp.json .profile .ripgreprc .vscode .zprofile .zshrc',
  '.claude/agents .claude/commands .claude/hooks .claude/launch.json .claude/loop.md .claude/output-styles',
  '.claude/routines .claude/scheduled_tasks.json .claude/settings.json .claude/settings.local.json',
  '.claude/skills .claude/workflows',
].flatMap((line) => line.split(' '));

function place(base: string, path: string, content = '', mode = 0o444): void {
  const file = join(base, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, mode);
}

function leaveAll(base: string): void {
  for (const path of SEEN) place(base, path);
  mkdirSync(join(base, '.claude/.cc-writes'), { recursive: true });
}

describe('residue', () => {
  it('is all that a killed claude leaves, and goes without a trace', () => {
    const top = temporaryFolder();
    const state = readResidue(top, top);
    leaveAll(top);
    expect(SEEN).toHaveLength(23);
    expect(SEEN.filter((path) => !isResidue(state, path))).toEqual([]);
    expect(removeResidue(state).toSorted()).toEqual([...SEEN, '.claude', '.claude/.cc-writes'].toSorted());
    expect(readdirSync(top)).toEqual([]);
    expect(removeResidue(state)).toEqual([]);
  });

  it('lies in the working directory below the top, by paths of the top', () => {
    const top = temporaryFolder();
    const cwd = join(top, 'packages/app');
    mkdirSync(cwd, { recursive: true });
    const state = readResidue(top, cwd);
    leaveAll(cwd);
    mkdirSync(join(top, '.claude/.cc-writes'), { recursive: true });
    expect(isResidue(state, 'packages/app/.claude/settings.json')).toBe(true);
    removeResidue(state);
    expect(readdirSync(cwd)).toEqual([]);
    expect(readdirSync(top)).toEqual(['packages']);
  });

  it.each([
    ['has content', (top: string) => place(top, '.mcp.json', '{}')],
    ['may be written', (top: string) => place(top, '.mcp.json', '', 0o644)],
    ['is a link', (top: string) => symlinkSync('elsewhere', join(top, '.mcp.json'))],
    ['is a folder', (top: string) => mkdirSync(join(top, '.mcp.json'))],
    ['has another name', (top: string) => place(top, '.npmrc')],
  ])('is nothing that %s', (_, make) => {
    const top = temporaryFolder();
    const state = readResidue(top, top);
    make(top);
    const [name = ''] = readdirSync(top);
    expect(isResidue(state, name)).toBe(false);
    expect(removeResidue(state)).toEqual([]);
    expect(readdirSync(top)).toEqual([name]);
  });

  it('is nothing that was there before', () => {
    const top = temporaryFolder();
    place(top, '.bashrc');
    mkdirSync(join(top, '.claude'));
    const state = readResidue(top, top);
    leaveAll(top);
    expect(isResidue(state, '.bashrc')).toBe(false);
    removeResidue(state);
    expect(readdirSync(top)).toEqual(['.bashrc', '.claude']);
    expect(readdirSync(join(top, '.claude'))).toEqual([]);
  });

  it('leaves a folder in which somebody put a file', () => {
    const top = temporaryFolder();
    const state = readResidue(top, top);
    leaveAll(top);
    place(top, '.claude/notes.md', 'mine', 0o644);
    removeResidue(state);
    expect(readdirSync(join(top, '.claude'))).toEqual(['notes.md']);
  });

  it('is never deleted through a link', () => {
    const top = temporaryFolder();
    const outside = temporaryFolder();
    const state = readResidue(top, top);
    place(outside, 'settings.json');
    mkdirSync(join(outside, '.cc-writes'));
    symlinkSync(outside, join(top, '.claude'));
    expect(isResidue(state, '.claude/settings.json')).toBe(false);
    expect(removeResidue(state)).toEqual([]);
    expect(existsSync(join(outside, 'settings.json'))).toBe(true);
    expect(existsSync(join(outside, '.cc-writes'))).toBe(true);
    rmSync(join(top, '.claude'));
  });
});
