import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBaton } from '../support/baton.ts';
import { surroundings } from '../support/environment.ts';
import { makeRepository } from '../support/repository.ts';

const GOOD = `---
name: billing
description: "How invoices work here. Use when changing invoices."
---

# Billing

## Key Concepts

Invoices are made once a night from orders that were delivered. A payment belongs to one invoice.

## Critical Rules

- Never round a line.
`;

function write(dir: string, path: string, content: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), content);
}

describe('baton skills validate', () => {
  it('is content with good skills, wherever it is called', async () => {
    const { dir } = makeRepository();
    write(dir, '.claude/skills/billing/SKILL.md', GOOD);
    write(dir, 'src/AGENTS.md', 'Mind the cents.\n');
    const { env } = surroundings();
    expect(await runBaton(['skills', 'validate'], { env, cwd: join(dir, 'src') })).toMatchObject({
      code: 0,
      stdout: '2 files: 0 errors, 0 warnings\n',
      stderr: '',
    });
  });

  it('names file, line and rule, and exits 1 for an error', async () => {
    const { dir } = makeRepository();
    // The agent products read what git ignores.
    write(dir, '.gitignore', '.claude\n');
    write(dir, '.claude/skills/billing/SKILL.md', GOOD.replace('name: billing', 'name: Billing'));
    write(dir, '.agents/skills/pay/skill.md', GOOD.replaceAll('billing', 'pay'));
    write(dir, '.agents/skills/pay/references/more\u001b[31m.md', 'See `src/gone.ts`, it is gone,\n');
    const { env } = surroundings();
    const plain = await runBaton(['skills', 'validate', '--cd', dir], { env });
    expect(plain).toMatchObject({ code: 1, stderr: '' });
    expect(plain.stdout).toBe(
      [
        'error    .agents/skills/pay/references/more\\x1b[31m.md:1  the file ends in the middle of a sentence: the rest may be missing  truncated',
        'warning  .agents/skills/pay/references/more\\x1b[31m.md:1  "src/gone.ts" does not exist  missing-path',
        'error    .agents/skills/pay/skill.md  no agent product finds a skill of this name: `baton skills migrate` makes it SKILL.md  not-discovered',
        'error    .claude/skills/billing/SKILL.md:2  the name "Billing" is not 1 to 64 of a-z, 0-9 and single hyphens within  name',
        '3 files: 3 errors, 1 warning',
        '',
      ].join('\n'),
    );
    const json = await runBaton(['skills', 'validate', '--cd', dir, '--target', 'claude', '--json'], { env });
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toEqual({
      files: ['.claude/skills/billing/SKILL.md'],
      findings: [
        {
          path: '.claude/skills/billing/SKILL.md',
          line: 2,
          severity: 'error',
          rule: 'name',
          message: 'the name "Billing" is not 1 to 64 of a-z, 0-9 and single hyphens within',
        },
      ],
      problems: [],
    });
  });

  it('exits 1 for what it cannot look at, and says so', async () => {
    const { dir } = makeRepository();
    write(dir, '.claude/skills/billing/SKILL.md', GOOD);
    symlinkSync('nowhere', join(dir, '.claude/skills/gone'));
    const { env } = surroundings();
    const { code, stdout } = await runBaton(['skills', 'validate', '--cd', dir], { env });
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: 'error    .claude/skills/gone: a link to nowhere\n1 file: 1 error, 0 warnings\n',
    });
  });

  it('knows when there is nothing, and which targets there are', async () => {
    const { dir } = makeRepository();
    const { env } = surroundings();
    const nothing = await runBaton(['skills', 'validate', '--cd', dir], { env });
    expect(nothing).toMatchObject({
      code: 0,
      stdout: 'there is no skill and no instruction file to check\n',
    });
    const wrong = await runBaton(['skills', 'validate', '--cd', dir, '--target', 'cursor'], { env });
    expect(wrong).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'baton: the target "cursor" is not known; known targets: claude, codex\n',
    });
  });
});
