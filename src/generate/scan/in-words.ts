import type { RepositoryScan } from './scan.ts';

const MAX_NAME = 200;

/** The scan as Markdown, for a prompt. Names that could be taken for anything else than a name are left out. */
export function scanInWords(scan: RepositoryScan): string {
  const { tests } = scan;
  const sections: [heading: string, lines: string[]][] = [
    ['Size', [`${scan.size.class}: ${scan.size.sourceFiles} source files, ${scan.files} files in all`]],
    ['Languages, by source files', scan.languages.map(({ language, files }) => `${language}: ${files}`)],
    [
      'Entry points',
      scan.entryPoints
        .filter(({ path }) => isTold(path))
        .map(
          ({ path, what, from }) => `\`${path}\`: ${plain(what)}${from === path ? '' : `, from \`${from}\``}`,
        ),
    ],
    [
      'Commands of the project',
      scan.commands.map(({ command, runs }) => `\`${command}\`${runs === null ? '' : `: ${plain(runs)}`}`),
    ],
    [
      'Tests',
      [
        `${tests.files} files`,
        ...(tests.runners.length > 0 ? [`run by: ${tests.runners.join(', ')}`] : []),
        ...tests.folders.filter(isTold).map((folder) => `in \`${folder}\``),
      ],
    ],
    [
      'Folders, by source files without tests',
      scan.folders
        .filter(({ path }) => isTold(path))
        .map(({ path, sourceFiles }) => `\`${path}/\`: ${sourceFiles}`),
    ],
    ['Documents', scan.documents.filter(isTold).map((path) => `\`${path}\``)],
    [
      'Most imported files',
      scan.mostImported
        .filter(({ path }) => isTold(path))
        .map(({ path, importedBy }) => `\`${path}\`: by ${importedBy}`),
    ],
    ['Left out', scan.gaps],
  ];
  return sections
    .filter(([, lines]) => lines.length > 0)
    .map(([heading, lines]) => `${heading}:\n${lines.map((line) => `- ${line}`).join('\n')}`)
    .join('\n\n');
}

/** Whether a file can be named to a model: a name may be a sentence to it, with line ends and all. */
export function isTold(name: string): boolean {
  return name.length <= MAX_NAME && !/[\u0000-\u001f\u007f-\u009f\u2028\u2029`<>]/.test(name);
}

function plain(text: string): string {
  return text.replace(/[`<>]/g, '');
}
