import { describe, expect, it } from 'vitest';
import { publishText, tellPublishRecovery, undoText } from '../../src/commands/publish-text.ts';
import { styleFor } from '../../src/commands/style.ts';

const plain = styleFor(false);

describe('what was published', () => {
  it('is one line a file, and then what would change', () => {
    const text = publishText(
      {
        files: [
          {
            path: 'CLAUDE.md',
            status: 'would-create',
            content: 'a\n',
            diff: '--- /dev/null\n+++ b/CLAUDE.md\n@@ -0,0 +1,1 @@\n+a\n',
          },
          { path: 'AGENTS.md', status: 'skipped', reason: 'it was edited', forcible: true },
          { path: '../x', status: 'skipped', reason: 'it leaves its folder' },
          { path: 'b', status: 'unchanged' },
        ],
      },
      plain,
    );
    expect(text).toBe(
      [
        'would create CLAUDE.md',
        'skipped      AGENTS.md: it was edited (--force writes it)',
        'skipped      ../x: it leaves its folder',
        'unchanged    b',
        '',
        '--- /dev/null',
        '+++ b/CLAUDE.md',
        '@@ -0,0 +1,1 @@',
        '+a',
        '',
      ].join('\n'),
    );
  });

  it('never drives the terminal', () => {
    const evil = '\u001b]0;title\u0007\r';
    const outcome = {
      files: [
        { path: `a${evil}`, status: 'would-update', reason: evil, diff: `--- a\n+x${evil}\n` } as const,
        { path: evil, status: 'skipped', reason: evil } as const,
      ],
    };
    const text = publishText(outcome, plain);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(text).toContain('\\x1b]0;title\\x07\\x0d');
  });

  it('has colour where there is a terminal', () => {
    const text = publishText(
      { files: [{ path: 'a', status: 'would-create', diff: '+x\n' }] },
      styleFor(true),
    );
    expect(text).toContain('\u001b[32m+x\u001b[39m');
  });
});

it('what was undone is named file by file', () => {
  const files = [
    { path: 'a', status: 'restored' },
    { path: 'b\u001b', status: 'removed' },
  ] as const;
  expect(undoText({ publication: '7', files: [...files], recovered: null }, plain)).toBe(
    'Took publication 7 back:\nrestored  a\nremoved   b\\x1b\n',
  );
});

it('what was mended is said on stderr, with what is left', () => {
  const said: string[] = [];
  const stderr = { write: (text: string) => said.push(text) > 0 };
  const recovery = {
    kind: 'publish',
    root: '/r',
    outcome: 'taken-back',
    mended: ['a'],
    left: ['b'],
  } as const;
  tellPublishRecovery({ stderr }, { ...recovery, mended: [...recovery.mended], left: [...recovery.left] });
  tellPublishRecovery({ stderr }, null);
  expect(said.join('')).toBe(
    'baton: an interrupted publication in /r was taken back: nothing of it is left\nbaton: put back as before: a\nbaton: changed meanwhile, left so: b\n',
  );
});
