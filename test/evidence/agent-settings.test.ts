import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { CLEAN, lines, observe } from './observing.ts';

describe('agent settings', () => {
  it.each([
    '.claude/settings.json',
    '.claude/settings.team.json',
    '.claude/hooks/deep/run.sh',
    '.claude/skills/x/SKILL.md',
    '.claude/agents/a.md',
    '.claude/commands/c.md',
    '.agents/skills/s/SKILL.md',
    '.mcp.json',
    '.codex/config.toml',
    '.delegate/lanes.json',
    'baton.config.json',
  ])('show a change of %s', async (path) => {
    const repository = makeRepository();
    const added = await observe(repository, () => repository.write({ [path]: '{}\n' }));
    expect(lines(added)).toEqual([`agent-settings: ${path} was added`]);
    const edited = await observe(repository, () => repository.write({ [path]: '{ }\n' }));
    expect(lines(edited)).toEqual([`agent-settings: ${path} was edited (3 bytes before, 4 now)`]);
    const removed = await observe(repository, () => repository.write({ [path]: null }));
    expect(lines(removed)).toEqual([`agent-settings: ${path} was removed`]);
  });

  it('are looked at from the working directory up to the top', async () => {
    const repository = makeRepository({
      files: { 'packages/app/a.ts': 'a', 'packages/.mcp.json': '{}', 'other/.mcp.json': '{}' },
    });
    const seen = await observe(
      repository,
      () =>
        repository.write({
          'packages/app/.claude/settings.json': '{}',
          'packages/.mcp.json': '[]',
          '.mcp.json': '{}',
          'other/.mcp.json': '[]',
        }),
      { cwd: join(repository.dir, 'packages/app') },
    );
    expect(lines(seen).sort()).toEqual([
      'agent-settings: .mcp.json was added',
      'agent-settings: packages/.mcp.json was edited (2 bytes before, 2 now)',
      'agent-settings: packages/app/.claude/settings.json was added',
    ]);
  });

  it('lead to the scripts that hooks run, wherever these lie', async () => {
    const outside = temporaryFolder();
    const repository = makeRepository({
      files: {
        '.claude/settings.json': JSON.stringify({
          hooks: {
            PreToolUse: [
              hook('node "$CLAUDE_PROJECT_DIR"/tools/check.mjs --fast'),
              hook('node', ['scripts/args.js']),
            ],
            Stop: [hook('sh ./late.sh && echo done'), hook(`${outside}/far.sh`)],
          },
          statusLine: { type: 'command', command: 'sh ${CLAUDE_PROJECT_DIR}/tools/line.sh' },
        }),
        '.codex/config.toml':
          '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "python3 tools/codex.py"\n',
        'tools/check.mjs': 'a',
        'tools/line.sh': 'a',
        'tools/codex.py': 'a',
        'tools/free.mjs': 'a',
        'scripts/args.js': 'a',
      },
    });
    writeFileSync(join(outside, 'far.sh'), 'a');
    const seen = await observe(repository, () => {
      repository.write({
        'tools/check.mjs': 'evil',
        'tools/line.sh': 'evil',
        'tools/codex.py': 'evil',
        'tools/free.mjs': 'evil',
        'scripts/args.js': 'evil',
        'late.sh': 'evil',
      });
      writeFileSync(join(outside, 'far.sh'), 'evil');
    });
    const paths = lines(seen).map(
      (line) => /^agent-settings: (.*), which an agent's settings run, was (added|edited)/.exec(line)?.[1],
    );
    expect(new Set(paths)).toEqual(
      new Set([
        `${outside}/far.sh`,
        'late.sh',
        'scripts/args.js',
        'tools/check.mjs',
        'tools/codex.py',
        'tools/line.sh',
      ]),
    );
  });

  it('do not count the placeholders of a sandbox, but whatever is more than one', async () => {
    const repository = makeRepository();
    const place = (path: string, content: string, mode: number): void => {
      repository.write({ [path]: content });
      chmodSync(join(repository.dir, path), mode);
    };
    const seen = await observe(repository, () => {
      for (const path of [
        '.mcp.json',
        '.claude/settings.json',
        '.claude/hooks',
        '.claude/skills',
        '.claude/agents',
      ])
        place(path, '', 0o444);
    });
    expect(seen).toEqual(CLEAN);
    const more = await observe(repository, () => {
      place('.claude/settings.local.json', '', 0o644);
      place('.claude/commands', 'x', 0o444);
      place('.codex', '', 0o444);
    });
    expect(lines(more).sort()).toEqual([
      'agent-settings: .claude/commands was added',
      'agent-settings: .claude/settings.local.json was added',
      'agent-settings: .codex was added',
    ]);
  });

  it('are followed through links, and a link that is turned elsewhere shows', async () => {
    const repository = makeRepository({ files: { 'shared/s/SKILL.md': 'one' } });
    mkdirSync(join(repository.dir, '.claude'));
    symlinkSync('../shared', join(repository.dir, '.claude/skills'));
    const seen = await observe(repository, () => repository.write({ 'shared/s/SKILL.md': 'two' }));
    expect(lines(seen)).toEqual([
      'agent-settings: .claude/skills/s/SKILL.md was edited (3 bytes before, 3 now)',
    ]);
    const turned = await observe(repository, () => {
      rmSync(join(repository.dir, '.claude/skills'));
      symlinkSync('../README.md', join(repository.dir, '.claude/skills'));
    });
    expect(lines(turned)).toContain(
      'agent-settings: .claude/skills was a link to ../shared and is now one to ../README.md',
    );
  });

  it('do not count the run directory', async () => {
    const repository = makeRepository();
    const runDir = join(repository.dir, '.delegate', 'run');
    const seen = await observe(repository, () => repository.write({ '.delegate/run/result.json': '{}' }), {
      runDir,
    });
    expect(seen).toEqual(CLEAN);
  });
});

/** A group of a hook event, as claude's settings have it. */
function hook(command: string, args?: string[]) {
  return { hooks: [{ type: 'command', command, ...(args && { args }) }] };
}
