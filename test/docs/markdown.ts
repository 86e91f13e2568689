import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { PROJECT } from '../support/project.ts';

/** Fenced code. */
export interface Block {
  language: string;
  /** The heading that it stands under; empty above the first. */
  heading: string;
  lines: string[];
}

/** A page of the documentation, by its path from the top. */
export interface Page {
  path: string;
  text: string;
  /** What stands in backquotes, outside of fences. */
  spans: string[];
  blocks: Block[];
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

/** One page, by its path from the top of the project. */
export function pageOf(path: string): Page {
  const text = readFileSync(join(PROJECT, path), 'utf8');
  const blocks: Block[] = [];
  const plain: string[] = [];
  let heading = '';
  let fence: { sign: string; block: Block } | null = null;
  for (const line of text.split('\n')) {
    const match = /^ {0,3}(`{3,}|~{3,})\s*([\w-]*)/.exec(line);
    if (match && fence === null) {
      fence = { sign: match[1] ?? '', block: { language: match[2] ?? '', heading, lines: [] } };
      blocks.push(fence.block);
    } else if (fence !== null && line.trim().startsWith(fence.sign)) fence = null;
    else if (fence !== null) fence.block.lines.push(line);
    else {
      plain.push(line);
      heading = /^#+ (.*)/.exec(line)?.[1] ?? heading;
    }
  }
  const prose = plain.join('\n');
  return {
    path,
    text,
    blocks,
    shell: blocks.flatMap(({ language, lines }) => (/^(?:sh|bash|console)$/.test(language) ? lines : [])),
    spans: [...prose.matchAll(/(?<!`)`([^`]+)`(?!`)/g)].map(([, span]) =>
      (span ?? '').replace(/\s+/g, ' ').replaceAll('\\|', '|'),
    ),
    links: [
      ...prose.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g),
      ...prose.matchAll(/\b(?:src|srcset)="([^"]+)"/g),
    ].map(([, to]) => to ?? ''),
  };
}

function markdownIn(folder: string): string[] {
  return readdirSync(join(PROJECT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(PROJECT, join(entry.parentPath, entry.name)))
    .sort();
}
