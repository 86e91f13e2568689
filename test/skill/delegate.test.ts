import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BATON_VERSION } from '../../src/core/version.ts';
import { shippedSkill } from '../../src/publishing/own-skill/shipped-skill.ts';
import { withMark } from '../../src/publishing/ownership.ts';
import { readFrontmatter } from '../../src/skills/frontmatter.ts';
import { versionOf } from '../../src/skills/own-skill.ts';
import { sanitizePublishedContent } from '../../src/skills/published-content.ts';
import { validateFrontmatter } from '../../src/skills/validate-frontmatter.ts';
import { runBaton } from '../support/baton.ts';
import { surroundings } from '../support/environment.ts';
import { PROJECT } from '../support/project.ts';

const FOLDER = join(PROJECT, 'skills', 'delegate');
const SKILL = readFileSync(join(FOLDER, 'SKILL.md'), 'utf8');
/** Under 2,500 tokens by each tokenizer that is in use. */
const MAX_SKILL = 6250;
const MAX_LINES = 500;
const MAX_REFERENCE = 8 * 1024;
/** Of `baton dispatch`: what reads the project's files, or runs its gates. */
const EXCEPTED = ['--baseline', '--check', '--check-brief', '--gate'];

describe('the skill that baton ships', () => {
  it('keeps the Agent Skills format', () => {
    expect(validateFrontmatter(SKILL, 'delegate')).toEqual([]);
    const read = readFrontmatter(SKILL);
    expect(read?.problems).toEqual([]);
    expect(read?.warnings).toEqual([]);
    expect(read?.fields.get('name')).toBe('delegate');
    expect(String(read?.fields.get('description')).length).toBeLessThanOrEqual(1024);
  });

  it('is cheap to read, with the mark that an installed one has', () => {
    expect(Buffer.byteLength(withMark(SKILL))).toBeLessThanOrEqual(MAX_SKILL);
    expect(readFrontmatter(SKILL)?.body.split('\n').length).toBeLessThan(MAX_LINES);
  });

  const references = readdirSync(join(FOLDER, 'references'));

  it.each(references)('has the page %s, which is short, and leads to it', (name) => {
    const content = readFileSync(join(FOLDER, 'references', name), 'utf8');
    expect(Buffer.byteLength(content)).toBeLessThan(MAX_REFERENCE);
    expect(SKILL).toContain(`(references/${name})`);
  });

  it('has the four pages, and no file that is not installed', () => {
    expect(references.toSorted()).toEqual([
      'dispatch-and-poll.md',
      'multi-task-queues.md',
      'review-and-land.md',
      'writing-the-brief.md',
    ]);
    const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    expect(shippedSkill()).toHaveLength(files.length);
  });

  it('is published as it is', () => {
    for (const { path, content } of shippedSkill())
      expect(sanitizePublishedContent(content, path)).toBe(content);
  });
});

describe('the drop-in relays', () => {
  const flagsIn = (help: string): string[] =>
    [...help.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag = '']) => flag);

  it('take the flags of a dispatch, except those that the skill and its page name', async () => {
    const { env } = surroundings();
    const relays = ['relay', 'codexRelay'] as const;
    const [dispatch, ...others] = await Promise.all([
      runBaton(['dispatch', '--help'], { env }),
      ...relays.map((program) => runBaton(['--help'], { env, program })),
    ]);
    for (const { stdout } of others) {
      const missing = flagsIn(dispatch.stdout).filter((flag) => !flagsIn(stdout).includes(flag));
      expect(missing.filter((flag) => flag !== '--implementer').toSorted()).toEqual(EXCEPTED);
    }
    for (const page of [SKILL, readFileSync(join(PROJECT, 'docs', 'skill.md'), 'utf8')]) {
      const said = /flags of `baton dispatch`, except\s([^.]*?)(?:\.|, and need)/.exec(page)?.[1] ?? '';
      expect([...said.matchAll(/--[a-z-]+/g)].map(([flag]) => flag).toSorted()).toEqual(EXCEPTED);
    }
  });
});

describe('the versions of what is shipped agree', () => {
  const json = (path: string) => JSON.parse(readFileSync(join(PROJECT, path), 'utf8'));

  it('in the package, the skill and the plugin', () => {
    const { version } = json('package.json');
    expect(BATON_VERSION).toBe(version);
    expect(versionOf(SKILL)).toBe(version);
    expect(json('.claude-plugin/plugin.json').version).toBe(version);
  });

  it('and the marketplace has the plugin, with its name, and no version of its own', () => {
    const plugin = json('.claude-plugin/plugin.json');
    const marketplace = json('.claude-plugin/marketplace.json');
    expect(marketplace.plugins).toEqual([expect.objectContaining({ name: plugin.name, source: './' })]);
    expect(marketplace.plugins[0].version).toBeUndefined();
    expect(json('package.json').files).toEqual(expect.arrayContaining(['.claude-plugin', 'skills']));
  });
});
