import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AllowedPaths, getAllowedPaths, sanitizePath } from '../../src/targets/sanitize-path.ts';

const allowed = getAllowedPaths(['claude', 'codex']);

/** As if somebody had allowed everything. */
const generous: AllowedPaths = {
  folders: ['.git', '.claude', '.codex', '.agents', '.github', 'src', '.claude/skills'],
  names: [
    'settings.json',
    'config.toml',
    'HEAD',
    '.mcp.json',
    'hooks.json',
    '.gitlab-ci.yml',
    'CLAUDE.md',
    'x',
  ],
};

describe('what is allowed', () => {
  it('is what the chosen targets own', () => {
    expect(getAllowedPaths(['codex'])).toEqual({ folders: ['.agents/skills'], names: ['AGENTS.md'] });
    expect(allowed).toEqual({
      folders: ['.claude/skills', '.agents/skills'],
      names: ['CLAUDE.md', 'AGENTS.md'],
    });
  });

  it.each([
    ['CLAUDE.md', 'CLAUDE.md'],
    ['./CLAUDE.md', 'CLAUDE.md'],
    ['src/billing/AGENTS.md', 'src/billing/AGENTS.md'],
    ['.claude/CLAUDE.md', '.claude/CLAUDE.md'],
    ['app/(shop)/[slug]/AGENTS.md', 'app/(shop)/[slug]/AGENTS.md'],
    ['.claude/skills//x/./SKILL.md', '.claude/skills/x/SKILL.md'],
    ['.claude/skills/hooks/SKILL.md', '.claude/skills/hooks/SKILL.md'],
    ['.claude/skills/x/skill.md', '.claude/skills/x/skill.md'],
    ['.agents/skills/x/references/日本語.md', '.agents/skills/x/references/日本語.md'],
    ['.agents/skills/x/scripts/a b.sh', '.agents/skills/x/scripts/a b.sh'],
    ['.claude/skills/skill-rules.json', '.claude/skills/skill-rules.json'],
    ['nullable/AGENTS.md', 'nullable/AGENTS.md'],
  ])('takes %s', (raw, path) => {
    expect(sanitizePath(raw, allowed)).toEqual({ ok: true, path });
  });

  it('takes nothing of a target that was not chosen', () => {
    expect(sanitizePath('AGENTS.md', getAllowedPaths(['claude'])).ok).toBe(false);
  });
});

describe('what is refused', () => {
  it.each([
    ['', 'empty'],
    ['  ', 'empty'],
    ['/tmp/CLAUDE.md', 'absolute'],
    ['C:\\CLAUDE.md', 'drive'],
    ['c:CLAUDE.md', 'drive'],
    ['\\\\server\\share\\CLAUDE.md', 'network share'],
    ['//server/share/CLAUDE.md', 'absolute'],
    ['~/CLAUDE.md', 'home'],
    ['~root/CLAUDE.md', 'home'],
    ['src\\CLAUDE.md', 'backslash'],
    ['../CLAUDE.md', '".."'],
    ['.claude/skills/../../x', '".."'],
    ['a/..', '".."'],
    ['.claude/skills/x/', 'directory'],
    ['CLAUDE.md/.', 'directory'],
    ['.', 'directory'],
    ['CLAUDE.md\0.png', 'control'],
    ['a\nb/CLAUDE.md', 'control'],
    ['a\u001b[31m/CLAUDE.md', 'control'],
    ['CLAUDE.md:stream', 'colon'],
    ['aux/CLAUDE.md', 'device'],
    ['.claude/skills/x/NUL.txt', 'device'],
    ['.claude/skills/x/com1', 'device'],
    ['.claude/skills/x/con .md', 'device'],
    ['.claude/skills/x/a.', 'ends with'],
    ['a /CLAUDE.md', 'ends with'],
    ['.../CLAUDE.md', 'ends with'],
    [' /CLAUDE.md', 'ends with'],
    ['.claude/skills/x/ a', 'begins with'],
    ['.claude/skills/x/a?b', 'not every file system'],
    ['CLAUDE~1/skills/x/CLAUDE.md', 'short name'],
    ['%2e%2e/CLAUDE.md', 'percent'],
    ['.claude/skills/..%2f..%2fx', 'percent'],
    ['\uFF0E\uFF0E/CLAUDE.md', 'NFKC'],
    ['a\uFF0Fb/CLAUDE.md', 'NFKC'],
    ['cafe\u0301/CLAUDE.md', 'NFKC'],
    ['\u2025/CLAUDE.md', 'NFKC'],
    ['.g\u200Cit/CLAUDE.md', 'invisible'],
    ['\uFEFFCLAUDE.md', 'invisible'],
    ['a\u202Eb/CLAUDE.md', 'invisible'],
    ['a\u3164/CLAUDE.md', 'invisible'],
    ['a\uD800/CLAUDE.md', 'invisible'],
    [`${'a'.repeat(256)}/CLAUDE.md`, '255 bytes'],
    [`${'a/'.repeat(600)}CLAUDE.md`, '1024 bytes'],
    ['claude.md', 'neither'],
    ['.Claude/skills/x/SKILL.md', 'neither'],
    ['.claude/skills', 'neither'],
    ['.claude/skillsx/SKILL.md', 'never written'],
    ['README.md', 'neither'],
    ['CLAUDE.local.md', 'neither'],
  ])('%j: %s', (raw, reason) => {
    expect(sanitizePath(raw, allowed)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });

  it.each([
    '.git/HEAD',
    '.GIT/CLAUDE.md',
    'sub/.git/hooks/x',
    '.gitmodules',
    '.claude/settings.json',
    '.Claude/Settings.json',
    '.claude/settings.local.json',
    '.claude/hooks/x',
    '.CODEX/Hooks/x',
    '.claude/skills/x/settings.json',
    '.claude/commands/CLAUDE.md',
    '.claude/skills/x/.claude/agents/CLAUDE.md',
    '.agents/plugins/x/AGENTS.md',
    '.agents/skills/x/agents/openai.yaml',
    '.codex/config.toml',
    '.codex/hooks.json',
    '.mcp.json',
    'src/.MCP.json',
    '.github/workflows/x',
    '.gitlab-ci.yml',
    '.husky/x',
    '.vscode/settings.json',
  ])('%s, whatever is allowed', (raw) => {
    expect(sanitizePath(raw, generous)).toEqual({
      ok: false,
      reason: expect.stringContaining('never written'),
    });
  });
});

describe('any path', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '..',
      '.',
      '',
      '.git',
      '.GIT',
      '.claude',
      '.agents',
      'skills',
      'hooks',
      'settings.json',
      'SKILL.md',
      'CLAUDE.md',
      'AGENTS.md',
      'C:',
      '~',
      'nul',
      '..\\..',
      '%2e%2e',
      '\uFF0F',
      '.g\u200Dit',
      ' ',
      'a.',
    ),
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.string({ maxLength: 6 }),
  );
  const path = fc
    .tuple(fc.array(piece, { maxLength: 6 }), fc.constantFrom('/', '/', '\\', '//'))
    .map(([all, by]) => all.join(by));
  const RUNS = Number(process.env['BATON_PROPERTY_RUNS'] ?? 2000);

  it.each([
    ['the targets', allowed],
    ['everything', generous],
  ])('that is taken stays below the root, and is allowed: %s', (_, rules) => {
    fc.assert(
      fc.property(
        fc.oneof(
          path,
          path.map((end) => `.claude/skills/${end}`),
        ),
        (raw) => {
          const found = sanitizePath(raw, rules);
          if (!found.ok) return;
          for (const platform of [posix, win32]) {
            const root = platform.resolve('/r');
            expect(platform.resolve(root, found.path).startsWith(root + platform.sep)).toBe(true);
            expect(platform.normalize(found.path).replaceAll('\\', '/')).toBe(found.path);
          }
          const parts = found.path.split('/');
          expect(
            rules.names.includes(parts.at(-1) ?? '') ||
              rules.folders.some((folder) => found.path.startsWith(`${folder}/`)),
          ).toBe(true);
          expect(parts.map((part) => part.toLowerCase())).not.toContain('.git');
          expect(found.path).not.toMatch(/settings.*\.json$|\.(?:claude|codex|agents)\/hooks\//i);
          expect(sanitizePath(found.path, rules)).toEqual(found);
        },
      ),
      { numRuns: RUNS },
    );
  });
});
