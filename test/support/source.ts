import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import ts from 'typescript';
import { PROJECT } from './project.ts';

/** One import, export-from or `import()` of a source file. */
export interface Import {
  /** As written: `node:fs`, `zod`, `./a.ts`. */
  specifier: string;
  /** The file it means, relative to the project (`src/core/a.ts`), or null for a package or a built-in. */
  file: string | null;
  /** `import type`, or an `import('…')` in a type: gone after the build. */
  typeOnly: boolean;
  /** Loaded when the code gets there, not when the file is loaded. */
  dynamic: boolean;
  /** `import { a }` and `import a`, not `import * as a`. */
  names: string[];
}

/** A source file, parsed. */
export interface SourceFile {
  /** Relative to the project, `/` between segments: `src/core/a.ts`. */
  path: string;
  lines: number;
  imports: Import[];
  /** Uses of `process` that belong to a program and not to a library: `process.argv`, `process.on('SIGINT')` ... */
  programOnly: string[];
}

/** All TypeScript files under a folder of the project. */
export function sourceFiles(folder: string): SourceFile[] {
  return readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => readSource(`${folder}/${name.split(sep).join('/')}`));
}

function readSource(path: string): SourceFile {
  const text = readFileSync(join(PROJECT, path), 'utf8');
  return parseSource(path, text);
}

/** The same for a text that lies in no file. */
export function parseSource(path: string, text: string): SourceFile {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, false, ts.ScriptKind.TS);
  const source: SourceFile = { path, lines: text.split('\n').length - 1, imports: [], programOnly: [] };
  const visit = (node: ts.Node): void => {
    const found = importOf(node, path);
    if (found) source.imports.push(found);
    const use = programUseOf(node, tree);
    if (use) source.programOnly.push(use);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return source;
}

function importOf(node: ts.Node, from: string): Import | null {
  const make = (specifier: ts.Node | undefined, kind: Partial<Import>): Import | null =>
    specifier && ts.isStringLiteralLike(specifier)
      ? {
          specifier: specifier.text,
          file: fileOf(specifier.text, from),
          typeOnly: false,
          dynamic: false,
          names: [],
          ...kind,
        }
      : null;
  if (ts.isImportDeclaration(node)) {
    const clause = node.importClause;
    const named =
      clause?.namedBindings && ts.isNamedImports(clause.namedBindings) ? clause.namedBindings.elements : [];
    const names = [
      ...(clause?.name ? ['default'] : []),
      ...named.map((one) => (one.propertyName ?? one.name).text),
    ];
    const typesAlone = !clause?.name && named.length > 0 && named.every((one) => one.isTypeOnly);
    return make(node.moduleSpecifier, {
      typeOnly: clause?.phaseModifier === ts.SyntaxKind.TypeKeyword || typesAlone,
      names,
    });
  }
  if (ts.isExportDeclaration(node)) return make(node.moduleSpecifier, { typeOnly: node.isTypeOnly });
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return make(node.argument.literal, { typeOnly: true });
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return make(node.arguments[0], { dynamic: true });
  }
  return null;
}

function fileOf(specifier: string, from: string): string | null {
  return specifier.startsWith('.') ? posix.join(dirname(from), specifier) : null;
}

const PROGRAM_ONLY = new Set(['argv', 'exit', 'exitCode', 'stdin', 'stdout', 'stderr', 'abort']);

/** `process.argv`, `console.log` or `process.on('SIG…')` and the like, as text; null for anything else. */
function programUseOf(node: ts.Node, tree: ts.SourceFile): string | null {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { expression, name } = node.expression;
    const first = node.arguments[0];
    const listens = ['on', 'once', 'addListener', 'prependListener'].includes(name.text);
    if (isName(expression, 'process') && listens && first)
      return `process.${name.text}(${first.getText(tree)})`;
    return null;
  }
  if (!ts.isPropertyAccessExpression(node)) return null;
  if (isName(node.expression, 'console')) return `console.${node.name.text}`;
  return isName(node.expression, 'process') && PROGRAM_ONLY.has(node.name.text)
    ? `process.${node.name.text}`
    : null;
}

function isName(node: ts.Expression, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name;
}

/** Everything that is loaded at once when `entry` is loaded: packages and built-ins by specifier, and source files. */
export function loadedWith(
  entry: string,
  files: readonly SourceFile[],
): { packages: Set<string>; files: Set<string> } {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const loaded = { packages: new Set<string>(), files: new Set<string>() };
  const load = (path: string): void => {
    if (loaded.files.has(path)) return;
    loaded.files.add(path);
    for (const one of byPath.get(path)?.imports ?? []) {
      if (one.typeOnly || one.dynamic) continue;
      if (one.file === null) loaded.packages.add(one.specifier);
      else load(one.file);
    }
  };
  load(entry);
  return loaded;
}
