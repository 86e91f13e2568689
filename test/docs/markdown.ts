import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { PROJECT } from '../support/project.ts';

/** A page of the documentation, by its path from the top. */
export interface Page {
  path: string;
  text: string;
  /** What stands in backquotes, outside of fences. */
  spans: string[];
  /** The lines of fenced code in a shell's language. */
  shell: string[];
  /** Targets of links to files of the project. */
  links: string[];
}

/** Every page that a user reads. Decisions tell what was, and the changelog too; `commands.md` is the help itself. */
export function pages(): Page[] {
  const docs = markdownIn('docs').filter(
    (path) => !path.startsWith('docs/decisions/') && path !== 'docs/commands.md',
  );
  const all = ['README.md', 'CONTRIBUTING.md', 'bench/README.md', ...docs, ...markdownIn('skills/delegate')];
  return all.map(pageOf);
}

function pageOf(path: string): Page {
  const text = readFileSync(join(PROJECT, path), 'utf8');
  const shell: string[] = [];
  const plain: string[] = [];
  let fence: { sign: string; language: string } | null = null;
  for (const line of text.split('\n')) {
    const match = /^ {0,3}(`{3,}|~{3,})\s*([\w-]*)/.exec(line);
    if (match && fence === null) fence = { sign: match[1] ?? '', language: match[2] ?? '' };
    else if (fence !== null && line.trim().startsWith(fence.sign)) fence = null;
    else if (fence === null) plain.push(line);
    else if (/^(?:sh|bash|console)$/.test(fence.language)) shell.push(line);
  }
  const prose = plain.join('\n');
  return {
    path,
    text,
    shell,
    spans: [...prose.matchAll(/(?<!`)`([^`]+)`(?!`)/g)].map(([, span]) =>
      (span ?? '').replace(/\s+/g, ' ').replaceAll('\\|', '|'),
    ),
    links: [...prose.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, to]) => to ?? ''),
  };
}

function markdownIn(folder: string): string[] {
  return readdirSync(join(PROJECT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(PROJECT, join(entry.parentPath, entry.name)))
    .sort();
}
