import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { PROJECT } from '../support/project.ts';

const FOLDER = join(PROJECT, 'docs', 'pictures');
const files = readdirSync(FOLDER);

describe('the pictures', () => {
  it('are small, all together', () => {
    const bytes = files.reduce((sum, name) => sum + statSync(join(FOLDER, name)).size, 0);
    expect(bytes).toBeLessThan(400 * 1024);
  });

  it.each(files.filter((name) => name.endsWith('.svg')))('show no folder of a machine: %s', (name) => {
    const svg = readFileSync(join(FOLDER, name), 'utf8');
    // Joined, since a long path goes on in the next line.
    const text = [...svg.matchAll(/<text [^>]*>([^<]*)</g)].map(([, piece]) => piece ?? '').join('');
    const paths = [...text.matchAll(/(?<=\s)\/[a-z][\w/.-]*/g)].map(([path]) => path);
    expect(text.length).toBeGreaterThan(100);
    expect(paths.filter((path) => !path.startsWith('/tmp/baton-demo/'))).toEqual([]);
  });
});

interface Piece {
  text: string;
  classes: string[];
}

interface Terminal {
  playTerminal(output: string): { lines: Piece[][]; redrawn: Piece[][] };
  svgOf(screen: { lines: Piece[][]; columns: number; title: string }): string;
}

describe('the terminal that they are made with', () => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await import(pathToFileURL(join(PROJECT, 'scripts', 'terminal.mjs')).href);
  });

  it('keeps what is on the screen in the end, and what a line said before', () => {
    const { lines, redrawn } = terminal.playTerminal('\r\u001b[2Kfirst\r\u001b[2Kthen\nlast');
    expect(lines.map((line) => line.map(({ text }) => text).join(''))).toEqual(['then', 'last']);
    expect(redrawn.map((line) => line.map(({ text }) => text).join(''))).toEqual(['first']);
  });

  it('knows looks, one over the other', () => {
    const { lines } = terminal.playTerminal('\u001b[1m\u001b[32mgood\u001b[39m bold\u001b[22m plain');
    expect(lines[0]).toEqual([
      { text: 'good', classes: ['bold', 'green'] },
      { text: ' bold', classes: ['bold'] },
      { text: ' plain', classes: [] },
    ]);
  });

  it.each(['\u001b[5A', '\u001b[7m'])('refuses what it does not know: %j', (sequence) => {
    expect(() => terminal.playTerminal(sequence)).toThrow('not known');
  });

  it('breaks a line where a terminal does, and escapes it', () => {
    const svg = terminal.svgOf({ lines: [[{ text: 'a<b&cd', classes: ['dim'] }]], columns: 4, title: 'x' });
    expect([...svg.matchAll(/<text [^>]*class="dim">([^<]*)</g)].map(([, text]) => text)).toEqual([
      'a&lt;b&amp;',
      'cd',
    ]);
  });
});
