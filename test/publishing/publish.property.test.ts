import { mkdirSync, symlinkSync, writeFileSync, chmodSync, existsSync, lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { publish } from '../../src/publishing/publish.ts';
import { undoPublication } from '../../src/publishing/undo-publication.ts';
import { plainEnv } from '../evidence/watching.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { litter, snapshot } from './publishing.ts';

const RUNS = { numRuns: Number(process.env['BATON_PROPERTY_RUNS'] ?? 15) };

/** A world with a root in it; nothing but the root may ever change. */
function world(): { top: string; root: string; env: ReturnType<typeof plainEnv> } {
  const top = temporaryFolder();
  const root = join(top, 'root');
  mkdirSync(join(top, 'outside/skills/s'), { recursive: true });
  mkdirSync(root);
  for (const file of ['CLAUDE.md', 'outside/SKILL.md', 'outside/skills/s/SKILL.md'])
    writeFileSync(join(top, file), 'untouched\n');
  return { top, root, env: { ...plainEnv(), BATON_HOME: temporaryFolder() } };
}

function outsideOf(top: string): object {
  return Object.fromEntries(Object.entries(snapshot(top)).filter(([path]) => !/^root(?:\/|$)/.test(path)));
}

/** What some file system, or some reader of paths, takes for something else. */
const HOSTILE = ['..', '.', '', '.Claude', 'SKILLS', 'S', '\u017fkills', 'skil\u200bls', '%2e%2e', '..%2f']
  .concat(['.\u2024', '\uff0e\uff0e', 'C:', '\\..', '~', 'a\0b', 'SKILL.md ', 'SKILL.md.', 'con'])
  .concat(['CLAUDE.md', 'root', 'outside']);
const segment = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('.claude', '.agents', 'skills', 's', 'SKILL.md', 'skill.md') },
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 1, arbitrary: fc.string() },
);
const anyPath = fc.array(segment, { minLength: 1, maxLength: 7 }).map((parts) => parts.join('/'));
const skillPath = fc
  .tuple(
    fc.constantFrom('.claude/skills', '.agents/skills', '.Claude/Skills'),
    fc.constantFrom('s', 'S', 't', 'link'),
    fc.constantFrom('SKILL.md', 'skill.md', 'references/a.md', 'a/b/c.md', 'link'),
  )
  .map((parts) => parts.join('/'));
const path = fc.oneof(
  anyPath,
  skillPath,
  fc.constantFrom('CLAUDE.md', 'AGENTS.md', 'src/AGENTS.md', 'src/s/CLAUDE.md'),
);
const files = fc.array(fc.record({ path, content: fc.string({ minLength: 1 }) }), {
  minLength: 1,
  maxLength: 6,
});

/** Links to everywhere, in the places that are published to. */
const link = fc.record({
  at: fc.oneof(
    skillPath,
    fc.constantFrom('.claude', '.claude/skills', '.agents', 'CLAUDE.md', 'src', '.agents/skills/s'),
  ),
  to: fc.constantFrom(
    '../outside',
    '../../outside/skills',
    '../../../outside',
    '..',
    '../CLAUDE.md',
    '/ABSOLUTE',
    'nowhere',
    '.',
  ),
});

function putLink(top: string, root: string, { at, to }: { at: string; to: string }): void {
  const place = join(root, at);
  try {
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(to === '/ABSOLUTE' ? join(top, 'outside') : to, place);
  } catch {
    // A link or a file is in the way already.
  }
}

describe('publishing', () => {
  it.each(['linux', 'darwin'] as const)(
    'never writes outside the root, by any link, case or encoding: %s',
    async (platform) => {
      await fc.assert(
        fc.asyncProperty(fc.array(link, { maxLength: 4 }), files, async (links, given) => {
          const { top, root, env } = world();
          for (const one of links) putLink(top, root, one);
          const before = outsideOf(top);
          const options = { env, force: true };
          const { files: outcome } = await publish({ root, files: given, options, nested: true, platform });
          expect(outsideOf(top)).toEqual(before);
          expect(outcome.length).toBe(given.length);
          const written = outcome.filter(({ status }) => status === 'created' || status === 'updated');
          for (const { path: at } of written) expect(lstatSync(join(root, at)).isFile()).toBe(true);
          expect(litter(root)).toEqual([]);
        }),
        RUNS,
      );
    },
    120_000,
  );

  it('and undoing gives every byte and mode back', async () => {
    const old = fc.record({
      path: fc.oneof(skillPath, fc.constantFrom('CLAUDE.md', 'src/AGENTS.md')),
      bytes: fc.uint8Array(),
      mode: fc.constantFrom(0o644, 0o600, 0o755, 0o444, 0o777),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(old, { maxLength: 5 }),
        fc.array(files, { minLength: 1, maxLength: 3 }),
        async (olds, publications) => {
          const { root, env } = world();
          for (const { path: at, bytes, mode } of olds) putFile(join(root, at), bytes, mode);
          const states = [snapshot(root)];
          for (const given of publications) {
            const options = { env, force: true };
            const { publication } = await publish({ root, files: given, options, nested: true });
            if (publication !== null) states.push(snapshot(root));
          }
          for (const state of states.slice(0, -1).toReversed()) {
            await undoPublication({ root, force: false, env });
            expect(snapshot(root)).toEqual(state);
          }
        },
      ),
      RUNS,
    );
  }, 120_000);
});

function putFile(at: string, bytes: Uint8Array, mode: number): void {
  if (existsSync(at)) return;
  try {
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, bytes);
    chmodSync(at, mode);
  } catch {
    // A file is where a folder would be.
  }
}
