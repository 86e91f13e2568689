import { describe, expect, it } from 'vitest';
import { makeRepository } from '../support/repository.ts';
import { landRuns, runOf, workshopAt } from './landing.ts';

const LINES = Array.from({ length: 30 }, (_, at) => `line ${at}\n`);
const text = (edits: { [at: number]: string }): string => LINES.map((line, at) => edits[at] ?? line).join('');

describe('land', () => {
  it('commits the hunks of the run alone, and leaves the rest staged and unstaged as it was', async () => {
    const repository = makeRepository({ files: { 'a.txt': text({}), 'b.txt': 'b\n', 'gone.txt': 'g\n' } });
    repository.write({ 'a.txt': text({ 2: 'staged\n' }) });
    repository.git('add', 'a.txt');
    repository.write({
      'a.txt': text({ 2: 'staged\n', 10: 'unstaged\n' }),
      'mine.txt': 'mine\n',
      'intent.txt': 'i\n',
    });
    repository.git('add', '-N', 'intent.txt');
    const run = await runOf(repository, () => {
      repository.write({
        'a.txt': text({ 2: 'staged\n', 10: 'unstaged\n', 20: 'run\n' }),
        'new.txt': 'new\n',
        'gone.txt': null,
      });
    });
    const workshop = await workshopAt(repository, [run]);

    const record = await landRuns(workshop, [run]);

    expect(repository.head()).toBe(record.commit);
    expect(record.changes).toEqual([
      { status: 'M', path: 'a.txt' },
      { status: 'D', path: 'gone.txt' },
      { status: 'A', path: 'new.txt' },
    ]);
    expect(repository.git('show', 'HEAD:a.txt')).toBe(text({ 20: 'run\n' }).trimEnd());
    expect(repository.git('show', ':a.txt')).toBe(text({ 2: 'staged\n', 20: 'run\n' }).trimEnd());
    expect(repository.status()).toEqual(['MM a.txt', ' A intent.txt', '?? mine.txt']);
    expect(repository.git('fsck', '--strict', '--no-dangling')).toBe('');
  });
});
