import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BoundaryDifference } from '../../src/evidence/boundary.ts';
import { compareNestedBoundary, readNestedBoundary } from '../../src/evidence/nested-boundary.ts';
import { makeRepository, openRepository, type TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** A repository with another one inside. */
function nest(): {
  outer: TestRepository;
  inner: TestRepository;
  look: () => ReturnType<typeof readNestedBoundary>;
} {
  const outer = makeRepository();
  const inner = makeRepository({ dir: join(outer.dir, 'vendor/lib') });
  return { outer, inner, look: lookAt(inner, join(inner.dir, '.git')) };
}

function lookAt(inner: TestRepository, gitDir: string) {
  return () => readNestedBoundary([{ path: 'vendor/lib', top: inner.dir, gitDir }]);
}

function lines({ violations }: BoundaryDifference): string[] {
  return violations.map(({ kind, detail }) => `${kind}: ${detail}`);
}

describe('the boundary of a nested repository', () => {
  it('has no difference where only its files changed', () => {
    const { inner, look } = nest();
    const before = look();
    inner.write({ 'x.txt': 'x' });
    expect(compareNestedBoundary(before, look())).toEqual({
      violations: [],
      notices: [],
      gaps: [],
      configChanged: false,
    });
  });

  it('tells of commits, staged files, settings and hooks with its path', () => {
    const { inner, look } = nest();
    const before = look();
    inner.commit({ 'x.txt': 'x' }, 'inside');
    inner.git('config', 'filter.evil.clean', 'sh evil');
    inner.write({ '.git/hooks/post-index-change': '#!/bin/sh\n' });
    const seen = compareNestedBoundary(before, look());
    expect(seen.configChanged).toBe(true);
    expect(lines(seen)).toEqual([
      expect.stringMatching(/^commit: vendor\/lib: refs\/heads\/main moved .*: 1 commit "inside"$/),
      expect.stringMatching(/^index: vendor\/lib: the index changed: x\.txt was added/),
      'git-config: vendor/lib: .git/config: filter.evil.clean is now "sh evil" (was unset)',
      'hooks: vendor/lib: .git/hooks/post-index-change was added',
    ]);
  });

  it('is read for a submodule, whose git directory lies elsewhere', () => {
    const source = makeRepository();
    const outer = makeRepository();
    outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source.dir, 'vendor/lib');
    const inner = openRepository(join(outer.dir, 'vendor/lib'));
    inner.git('config', 'user.name', 'T');
    inner.git('config', 'user.email', 't@example.invalid');
    const look = lookAt(inner, join(outer.dir, '.git/modules/vendor/lib'));
    const before = look();
    inner.commit({}, 'in the submodule');
    writeFileSync(join(inner.dir, '.git'), 'gitdir: /elsewhere\n');
    expect(lines(compareNestedBoundary(before, look()))).toEqual([
      expect.stringMatching(/^commit: vendor\/lib: .*"in the submodule"$/),
      expect.stringMatching(/^git-config: vendor\/lib: \.git was edited/),
    ]);
  });

  it('tells that the git directory is gone, or the repository is not listed any more', () => {
    const { inner, look } = nest();
    const before = look();
    rmSync(join(inner.dir, '.git'), { recursive: true });
    expect(lines(compareNestedBoundary(before, look()))).toEqual(['git-config: vendor/lib: .git is gone']);
    expect(lines(compareNestedBoundary(before, new Map()))).toEqual([
      'git-config: vendor/lib: this nested repository is gone',
    ]);
  });

  it('does not call a new repository a violation', () => {
    const { look } = nest();
    expect(compareNestedBoundary(new Map(), look()).violations).toEqual([]);
  });

  it('runs nothing that the repository configures, and says what only git could read', () => {
    const { inner, look } = nest();
    const trap = join(temporaryFolder(), 'trap.sh');
    const ran = `${trap}.ran`;
    writeFileSync(trap, `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
    inner.write({ '.git/reftable/tables.list': '', '.gitattributes': '* filter=evil\n' });
    for (const key of [
      'core.fsmonitor',
      'filter.evil.clean',
      'filter.evil.process',
      'gpg.program',
      'core.sshCommand',
    ])
      inner.write({ [`.git/config`]: `${inner.read('.git/config')}[x]\n` + section(key, trap) });
    const before = look();
    inner.write({ '.git/index': Buffer.from('not an index') });
    const seen = compareNestedBoundary(before, look());
    expect(existsSync(ran)).toBe(false);
    expect(seen.violations).toEqual([]);
    expect(seen.gaps).toEqual([
      'vendor/lib: its refs are in tables that only git can read, and git is not run in nested repositories',
      'vendor/lib: the index was written and could not be compared: not an index file',
    ]);
  });
});

/** A configuration section that sets one dotted key. */
function section(key: string, value: string): string {
  const parts = key.split('.');
  const name = parts.at(-1) ?? '';
  const subsection = parts.length > 2 ? ` "${parts[1] ?? ''}"` : '';
  return `[${parts[0] ?? ''}${subsection}]\n\t${name} = ${value}\n`;
}
