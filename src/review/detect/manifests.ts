import { type JsonObject, isObject, objectOf } from '../../core/json.ts';
import { type ChangedFile, findingAt } from '../changed-file.ts';
import type { Finding } from '../finding.ts';
import { lineAt, type Source } from '../source.ts';
import type { Detector } from './detector.ts';

/** What manifests say: new dependencies, and the part of the gates that is kept in them. */
export const manifests: Detector = ({ files }) =>
  files.flatMap((file) => {
    const name = file.path.slice(file.path.lastIndexOf('/') + 1);
    if (name === 'package.json') return packageJson(file);
    if (name === 'pyproject.toml' || name === 'setup.cfg' || name === 'Cargo.toml') return sections(file);
    if (/^requirements[^/]*\.(?:txt|in)$/.test(name))
      return added(file, /^\s*([A-Za-z0-9_.-]+)\s*(?:\[|[=<>~!;@]|$)/);
    if (name === 'go.mod') return added(file, /^\s*(?:require\s+)?([\w.-]+\.[a-z]+\/\S+)\s+v\d/);
    return [];
  });

const DEPENDENCIES = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
const GATE_KEYS = [
  'scripts',
  'jest',
  'vitest',
  'nyc',
  'c8',
  'ava',
  'tap',
  'mocha',
  'eslintConfig',
  'lint-staged',
  'husky',
  'baton',
  'overrides',
  'resolutions',
];

function packageJson(file: ChangedFile): Finding[] {
  const before = parsed(file.before);
  const after = parsed(file.after);
  // A new package has everything for the first time, and took nothing away.
  if (!after || !file.after || !before) return [];
  const { after: source } = file;
  const old = new Set(DEPENDENCIES.flatMap((group) => Object.keys(objectOf(before[group]))));
  const fresh = DEPENDENCIES.flatMap((group) =>
    Object.keys(objectOf(after[group]))
      .filter((name) => !old.has(name))
      .map((name) =>
        findingAt(
          file,
          'dependency-added',
          'after',
          keyLine(source, name, group),
          `${name} is new in ${group}`,
        ),
      ),
  );
  const gates = GATE_KEYS.flatMap((key) => {
    const names = keysThatDiffer(before[key], after[key]);
    return names.map(({ name, was, now }) => {
      const what = now === undefined ? 'is gone' : was === undefined ? 'is new' : 'changed';
      return now === undefined && file.before
        ? findingAt(
            file,
            'gate-config-changed',
            'before',
            keyLine(file.before, name, key),
            `${key}: "${name}" ${what}`,
          )
        : findingAt(
            file,
            'gate-config-changed',
            'after',
            keyLine(source, name, key),
            `${key}: "${name}" ${what}${from(was)}`,
          );
    });
  });
  return [...fresh, ...gates];
}

function from(was: unknown): string {
  return was === undefined ? '' : `; it was ${JSON.stringify(was).slice(0, 120)}`;
}

function parsed(source: Source | null): JsonObject | null {
  try {
    const value: unknown = JSON.parse(source?.text ?? '');
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function keysThatDiffer(before: unknown, after: unknown): { name: string; was: unknown; now: unknown }[] {
  const [old, now] = [objectOf(before), objectOf(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
    .map((name) => ({ name, was: old[name], now: now[name] }));
}

function keyLine(source: Source, name: string, group: string): number {
  const start = Math.max(0, source.text.indexOf(JSON.stringify(group)));
  const at = source.text.indexOf(`${JSON.stringify(name)}:`, start);
  return lineAt(source, at >= 0 ? at : start);
}

function added(file: ChangedFile, form: RegExp): Finding[] {
  const old = new Set(file.goneLines.flatMap(({ text }) => form.exec(text)?.[1]?.toLowerCase() ?? []));
  return file.newLines.flatMap(({ line, text }) => {
    const name = form.exec(text)?.[1];
    return name === undefined || old.has(name.toLowerCase())
      ? []
      : [findingAt(file, 'dependency-added', 'after', line, `${name} is new`)];
  });
}

const GATE_SECTION =
  /^(?:tool[.:]?(?:pytest|coverage|ruff|mypy|pyright|black|isort|pylint|tox|hatch\.envs|nox|flake8|bandit)|flake8|mypy|coverage|pylint|isort|lints)/;
const DEPENDENCY_SECTION =
  /^(?:project$|project\.optional-dependencies|dependency-groups|tool\.poetry\.(?:.*\.)?(?:dev-)?dependencies|options$|options\.extras_require|(?:dev-|build-)?dependencies|workspace\.dependencies)/;

/** TOML and INI: a line belongs to the section above it. */
function sections(file: ChangedFile): Finding[] {
  return [...sectionFindings(file, 'after'), ...sectionFindings(file, 'before')];
}

function sectionFindings(file: ChangedFile, side: 'before' | 'after'): Finding[] {
  const source = file[side];
  if (!source || !file.before) return [];
  const lines = source.text.split('\n');
  const touched = side === 'after' ? file.newLines : file.goneLines;
  const known = file.before.text.toLowerCase();
  const seen = new Set<string>();
  return touched.flatMap(({ line, text }): Finding[] => {
    const section = sectionOf(lines, line);
    if (GATE_SECTION.test(section) && text.trim() !== '' && !seen.has(section)) {
      seen.add(section);
      return [findingAt(file, 'gate-config-changed', side, line, `[${section}] changed`)];
    }
    const name = DEPENDENCY_SECTION.test(section) && side === 'after' ? dependencyIn(text, section) : null;
    return name === null || known.includes(name.toLowerCase())
      ? []
      : [findingAt(file, 'dependency-added', 'after', line, `${name} is new in [${section}]`)];
  });
}

function sectionOf(lines: readonly string[], line: number): string {
  for (let at = line - 1; at >= 0; at -= 1) {
    const head = /^\s*\[+([^[\]]+)\]+\s*(?:#.*)?$/.exec(lines[at] ?? '')?.[1];
    if (head !== undefined) return head.trim();
  }
  return '';
}

function dependencyIn(text: string, section: string): string | null {
  const quoted =
    /^\s*["']([A-Za-z0-9_.-]+)\s*(?:\[[^\]]*\])?\s*(?:[=<>~!;@][^"']*)?["']\s*,?\s*(?:#.*)?$/.exec(text)?.[1];
  if (quoted !== undefined) return quoted;
  // `name = "1.0"`: in `[project]` that is its own data.
  if (section === 'project' || section === 'options') return null;
  return /^\s*([A-Za-z0-9_-]+)\s*=\s*(?:["'{])/.exec(text)?.[1] ?? null;
}
