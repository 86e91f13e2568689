import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locateRepository } from '../../src/git/locate.ts';
import { ordinaryRepository } from '../../src/git/ordinary-repository.ts';
import { makeRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';

const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', LANG: 'C.UTF-8' };
/** With any such variable git itself is asked. */
const askGit = (cwd: string) => locateRepository(cwd, { ...env, GIT_PAGER: 'cat' }, 20_000);

/** What may have become of a repository `top`; whether it is still an ordinary one is for git to say. */
const CHANGES: { [name: string]: (top: string) => void } = {
  'a remote and a branch': (top) =>
    configure(
      top,
      '[remote "origin"]\n\turl = https://host.invalid/x.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*',
    ),
  'a quoted value': (top) => configure(top, '[user]\n\tname = "A B"'),
  'a comment': (top) => configure(top, '# bare = true'),
  'an empty line': (top) => configure(top, ''),
  'an alias without a value': (top) => configure(top, '[core]\n\tignorecase'),
  'a broken line': (top) => configure(top, '[core'),
  'a key without section': (top) => writeFileSync(join(top, '.git', 'config'), '\tbare = false\n'),
  'another working tree': (top) => configure(top, '[core]\n\tworktree = ../other'),
  'another working tree, in capitals': (top) => configure(top, '[CORE]\n\tWorkTree = ../other'),
  'bare after all': (top) => configure(top, '[core]\n\tbare = true'),
  'a later format': (top) => configure(top, '[core]\n\trepositoryformatversion = 1'),
  'a format that nobody knows': (top) => configure(top, '[core]\n\trepositoryformatversion = 99'),
  'an extension': (top) => configure(top, '[extensions]\n\tobjectformat = sha256'),
  'an extension that nobody knows': (top) =>
    configure(top, '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tnobody = true'),
  'an included file': (top) => {
    writeFileSync(join(top, 'more'), '[core]\n\tworktree = ../other\n');
    configure(top, '[include]\n\tpath = ../more');
  },
  'no configuration': (top) => rmSync(join(top, '.git', 'config')),
  'no HEAD': (top) => rmSync(join(top, '.git', 'HEAD')),
  'a HEAD of garbage': (top) => writeFileSync(join(top, '.git', 'HEAD'), 'garbage\n'),
  'a detached HEAD': (top) => writeFileSync(join(top, '.git', 'HEAD'), `${'0123456789'.repeat(4)}\n`),
  'a HEAD outside of refs': (top) => writeFileSync(join(top, '.git', 'HEAD'), 'ref: elsewhere\n'),
  'no objects': (top) => rmSync(join(top, '.git', 'objects'), { recursive: true }),
  'no refs': (top) => rmSync(join(top, '.git', 'refs'), { recursive: true }),
  'a common directory elsewhere': (top) => writeFileSync(join(top, '.git', 'commondir'), '../elsewhere\n'),
  'a linked git directory': (top) => {
    renameSync(join(top, '.git'), join(top, 'real'));
    symlinkSync('real', join(top, '.git'));
  },
  'a git directory named by a file': (top) => {
    renameSync(join(top, '.git'), join(top, 'real'));
    writeFileSync(join(top, '.git'), 'gitdir: real\n');
  },
  'an empty .git below': (top) => mkdirSync(join(top, 'below', '.git')),
  'a HEAD below': (top) => writeFileSync(join(top, 'below', 'HEAD'), 'ref: refs/heads/main\n'),
  'a git directory below': (top) => {
    execFileSync('git', ['init', '-q', '--bare', join(top, 'below')], { env });
  },
  'a repository below': (top) => {
    makeRepository({ dir: join(top, 'below') });
  },
  ...(process.getuid?.() === 0
    ? {
        'a tree of somebody else': (top) => chownSync(top, 65_534, 65_534),
        'a git directory of somebody else': (top) => chownSync(join(top, '.git'), 65_534, 65_534),
      }
    : {}),
};

function configure(top: string, lines: string): void {
  appendFileSync(join(top, '.git', 'config'), `${lines}\n`);
}

function changed(names: readonly string[]): string {
  const { dir } = makeRepository();
  mkdirSync(join(dir, 'below'));
  for (const name of names) {
    try {
      CHANGES[name]?.(dir);
    } catch {
      // An earlier change took away what this one would have changed.
    }
  }
  return dir;
}

/** It may leave the answer to git; one of its own has to be git's. */
async function agrees(cwd: string): Promise<boolean> {
  const found = ordinaryRepository(cwd, env);
  return found === null || isDeepStrictEqual(found, await askGit(cwd));
}

describe.runIf(process.platform === 'linux')('ordinaryRepository', () => {
  it.each(['.', 'below'])('finds a plain repository from %s as git does', async (from) => {
    const cwd = join(changed(['a remote and a branch']), from);
    const found = ordinaryRepository(cwd, env);
    expect(found).not.toBeNull();
    expect(found).toEqual(await askGit(cwd));
  });

  it('says what git says, or nothing, whatever became of the repository', async () => {
    const names = fc.constantFrom(...Object.keys(CHANGES));
    const property = fc.asyncProperty(
      fc.array(names, { minLength: 1, maxLength: 2 }),
      fc.constantFrom('.', 'below', '.git', '.git/refs'),
      async (changes, from) => agrees(join(changed(changes), from)),
    );
    expect(await fc.check(property, { numRuns: 60 })).toMatchObject({ failed: false });
  });

  it.each(Object.keys(CHANGES))('is not wrong about %s', async (name) => {
    const top = changed([name]);
    expect(await agrees(top)).toBe(true);
    expect(await agrees(join(top, 'below'))).toBe(true);
  });

  it.each(['GIT_CEILING_DIRECTORIES', 'GIT_DISCOVERY_ACROSS_FILESYSTEM', 'GIT_DIR'])(
    'leaves it to git where %s is set',
    (name) => {
      expect(ordinaryRepository(changed([]), { ...env, [name]: '/' })).toBeNull();
    },
  );

  it('leaves linked worktrees, other formats and no repository to git', () => {
    const main = makeRepository();
    const linked = join(temporaryFolder(), 'linked');
    main.git('worktree', 'add', '-q', linked);
    expect(ordinaryRepository(linked, env)).toBeNull();
    expect(ordinaryRepository(makeRepository({ objectFormat: 'sha256' }).dir, env)).toBeNull();
    expect(ordinaryRepository(temporaryFolder(), env)).toBeNull();
    expect(ordinaryRepository(join(temporaryFolder(), 'missing'), env)).toBeNull();
  });
});
