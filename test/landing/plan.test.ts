import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withTrailers } from '../../src/landing/message.ts';
import {
  decide,
  type Decision,
  type Entry,
  folderConflicts,
  isNamed,
  sameEntry,
} from '../../src/landing/plan.ts';
import { makeRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { located } from './landing.ts';
import { openWorkshop } from '../../src/landing/workshop.ts';

const [one, two, three] = ['1', '2', '3'].map((digit): Entry => ({ mode: '100644', oid: digit.repeat(40) }));
const exe = (entry: Entry | undefined): Entry => ({ oid: entry?.oid ?? '', mode: '100755' });
const link: Entry = { mode: '120000', oid: 'f'.repeat(40) };

describe('decide', () => {
  it.each([
    ['the run alone edited it', one, two, one, { do: 'set', entry: two }],
    ['it is there already', one, two, two, { do: 'keep' }],
    ['the run added it', null, one, null, { do: 'set', entry: one }],
    ['the run deleted it', one, null, one, { do: 'set', entry: null }],
    ['both deleted it', one, null, null, { do: 'keep' }],
    [
      'both edited it',
      one,
      two,
      three,
      { do: 'merge', base: one?.oid, ours: three?.oid, theirs: two?.oid, mode: '100644' },
    ],
    ['it was untracked', one, two, null, { do: 'conflict', kind: 'uncommitted' }],
    ['both added it', null, two, three, { do: 'conflict', kind: 'both-added' }],
    ['the run deleted what others edited', one, null, two, { do: 'conflict', kind: 'edited-and-deleted' }],
    ['the run made it executable, others edited it', one, exe(one), two, { do: 'set', entry: exe(two) }],
    ['the run edited it, others made it executable', one, two, exe(one), { do: 'set', entry: exe(two) }],
    ['one of them is a link', one, two, link, { do: 'conflict', kind: 'type' }],
  ])('%s', (_, from = null, to = null, ours = null, decision) => {
    expect(decide({ path: 'p', from, to }, ours)).toEqual(decision);
  });
});

describe('the plan', () => {
  it('is that of git read-tree -m --aggressive, path by path', { timeout: 600_000 }, async () => {
    // Where a file becomes a folder git leaves the rest of the folder to the caller: folderConflicts is for that.
    const names = fc.constantFrom('a', 'b', 'c/x', 'c/y', 'd/x');
    const tree = fc.dictionary(names, fc.constantFrom('1', '2', '3'), { maxKeys: 5 });
    const repository = makeRepository();
    const workshop = await openWorkshop(await located(repository), {
      folder: temporaryFolder(),
      stores: [],
      env: { PATH: process.env['PATH'] ?? '', HOME: repository.dir },
    });
    const index = join(workshop.folder, 'test.index');
    const blob = new Map<string, string>();
    for (const content of ['1', '2', '3'])
      blob.set(
        content,
        (await workshop.git(['hash-object', '-w', '--stdin'], { input: Buffer.from(content) })).stdout
          .toString()
          .trim(),
      );
    const write = async (files: { [name: string]: string }): Promise<string> => {
      rmSync(index, { force: true });
      const lines = Object.entries(files).map(
        ([name, content]) => `100644 ${blob.get(content)} 0\t${name}\0`,
      );
      await workshop.git(['update-index', '-z', '--add', '--index-info'], {
        index,
        input: Buffer.from(lines.join('')),
      });
      return (await workshop.git(['write-tree'], { index })).stdout.toString().trim();
    };
    await fc.assert(
      fc.asyncProperty(tree, tree, tree, async (before, after, head) => {
        const trees = [await write(before), await write(head), await write(after)];
        rmSync(index, { force: true });
        const read = await workshop.git(['read-tree', '-i', '-m', '--aggressive', ...trees], { index });
        const listed = (await workshop.git(['ls-files', '--stage', '-z'], { index })).stdout.toString();
        const entry = (files: { [name: string]: string }, name: string): Entry | null =>
          files[name] === undefined ? null : { mode: '100644', oid: blob.get(files[name]) ?? '' };
        const every = [...new Set([before, after, head].flatMap((files) => Object.keys(files)))];
        const decisions = every.map((path): { path: string; ours: Entry | null; decision: Decision } => {
          const [from, to, ours] = [before, after, head].map((files) => entry(files, path));
          // What the run did not change is not asked about.
          const change = { path, from: from ?? null, to: to ?? null };
          const decision: Decision = sameEntry(change.from, change.to)
            ? { do: 'keep' }
            : decide(change, ours ?? null);
          return { path, ours: ours ?? null, decision };
        });
        expect(read.code).toBe(0);
        // Where git leaves stages, the plan names a conflict or a line merge; else both have the same.
        const staged = new Map(
          listed
            .split('\0')
            .filter(Boolean)
            .map((record) => [record.slice(record.indexOf('\t') + 1), record.split(/[ \t]/)]),
        );
        const settled = [...staged.values()].every(([, , stage]) => stage === '0');
        const planned = decisions.every(({ decision }) => decision.do === 'keep' || decision.do === 'set');
        expect(planned).toBe(settled);
        const outcome = decisions.map(({ path, ours, decision }) => [
          path,
          (decision.do === 'set' ? decision.entry : ours)?.oid,
        ]);
        expect(settled ? outcome : []).toEqual(
          settled ? every.map((path) => [path, staged.get(path)?.[1]]) : [],
        );
      }),
      { numRuns: Number(process.env['BATON_PROPERTY_RUNS'] ?? 60) },
    );
  });
});

describe('folderConflicts', () => {
  const a: Entry = { mode: '100644', oid: 'a'.repeat(40) };

  it.each([
    ['a file below a file', ['a'], { 'a/x': a }, ['a/x']],
    ['a file where a folder is', ['a/x', 'a/y'], { a }, ['a']],
    ['a file where a folder was', ['a/x', 'a/y'], { a, 'a/x': null, 'a/y': null }, []],
    ['a folder where a file was', ['a'], { a: null, 'a/x': a }, []],
    ['a file beside others', ['a/x'], { 'a/y': a, b: a }, []],
    ['names that begin alike', ['a'], { 'a-b': a, 'ab/c': a }, []],
  ])('%s', (_, listed, edits: { [path: string]: Entry | null }, paths) => {
    const listing = new Map(listed.map((path) => [path, a]));
    const conflicts = folderConflicts(listing, new Map(Object.entries(edits)));
    expect(conflicts.map(({ path }) => path)).toEqual(paths);
  });
});

describe('isNamed', () => {
  it('takes a file, or all in a folder, and not what only begins alike', () => {
    expect(['a', 'a/b', 'ab', 'b'].filter((path) => isNamed(path, ['a']))).toEqual(['a', 'a/b']);
  });
});

describe('withTrailers', () => {
  it.each([
    ['Subject', 'Subject\n\nA: 1\nB: 2\n'],
    [
      'Subject\n\nBody: with a colon, and more\nof it',
      'Subject\n\nBody: with a colon, and more\nof it\n\nA: 1\nB: 2\n',
    ],
    ['Subject\n\nSigned-off-by: X <x>\n', 'Subject\n\nSigned-off-by: X <x>\nA: 1\nB: 2\n'],
    ['Fix: it', 'Fix: it\n\nA: 1\nB: 2\n'],
    ['Subject\n\nA: 1', 'Subject\n\nA: 1\nB: 2\n'],
  ])('%j', (message, text) => {
    expect(withTrailers(message, ['A: 1', 'B: 2'])).toBe(text);
  });

  it('refuses a blank message', () => {
    expect(() => withTrailers(' \n', [])).toThrow('the commit message is empty');
  });
});
