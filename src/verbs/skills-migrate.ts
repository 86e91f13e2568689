import { randomBytes } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import {
  chmodSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { writeFileAtomic } from '../core/atomic-write.ts';
import { BatonError, messageOf } from '../core/errors.ts';
import { unifiedDiff } from '../publishing/publish-diff.ts';
import { findSkillFiles } from '../skills/find.ts';
import { migrateText } from '../skills/migrate.ts';
import { readSkillText } from '../skills/read-skill.ts';
import { targetsOf } from '../targets/target.ts';
import { type RunChoice, treeAt } from './run-at.ts';

/** What is done with one skill's file. Paths are relative to the top of the repository, with `/`. */
export interface Migration {
  path: string;
  /** Its new path; the same where it keeps its name. */
  to: string;
  /** For a person: `rename to SKILL.md`, `quotes description`, `triggers into the frontmatter`. */
  changes: string[];
  /** Unified; empty where the text stays. */
  diff: string;
  before: string;
  after: string;
}

export interface MigrationPlan {
  /** Top of the repository; a real path. */
  top: string;
  migrations: Migration[];
  /** Files that are left as they are: `path: why`. */
  problems: string[];
}

const NAME = 'SKILL.md';
const OLD_NAMES = ['skill.md', 'Skill.md'];

/** What there is to bring into the present form. Changes nothing. */
export async function planMigration({ cd, env }: Pick<RunChoice, 'cd' | 'env'>): Promise<MigrationPlan> {
  const { treeTop: top } = await treeAt({ cd, env });
  const found = targetsOf('all').flatMap(({ skills }) =>
    [NAME, ...OLD_NAMES].flatMap(
      (skillFilename) => findSkillFiles(join(top, skills), { skillFilename }).files,
    ),
  );
  const plan: MigrationPlan = { top, migrations: [], problems: [] };
  const seen = new Set<string>();
  for (const { path, within } of found) {
    const shown = below(top, path);
    try {
      // The way to a file may lead through a link: what is changed is where the file really lies.
      const real = join(realpathSync(dirname(path)), basename(path));
      if (seen.has(real)) continue;
      seen.add(real);
      const migration = await migrationOf(top, real, within !== null);
      if (migration !== null) plan.migrations.push(migration);
    } catch (error) {
      plan.problems.push(`${shown}: ${messageOf(error)}`);
    }
  }
  return plan;
}

/**
 * Does what was planned, file by file. Throws a BatonError `migrate` at the first file that is not as it was when it was
 * planned, or cannot be changed: the files before it are done, and it and those after it are as they were.
 */
export function migrate({ top, migrations }: Pick<MigrationPlan, 'top' | 'migrations'>): void {
  for (const { path, to, before, after } of migrations) {
    const file = join(top, path);
    try {
      if (realpathSync(file) !== file || readSkillText(file) !== before)
        throw new Error('it was changed meanwhile');
      if (to !== path) rename(file);
      if (after !== before) replace(join(top, to), after);
    } catch (error) {
      throw new BatonError('migrate', `${path} is not migrated: ${messageOf(error)}`, {
        hint: 'run `baton skills migrate` again: it begins with what is left',
        cause: error,
      });
    }
  }
}

async function migrationOf(top: string, file: string, phantom: boolean): Promise<Migration | null> {
  const path = below(top, file);
  if (path.startsWith('../')) throw new Error('it lies outside of the repository, and is left as it is');
  if (lstatSync(file).isSymbolicLink()) throw new Error('it is a link, and is left as it is');
  const before = readSkillText(file);
  // Decoded and written back, such bytes would be lost.
  if (!isUtf8(readFileSync(file))) throw new Error('it is not UTF-8, and is left as it is');
  const { content: after, changes, problem } = migrateText(before);
  if (problem !== null) throw new Error(problem);
  const old = basename(file) !== NAME;
  if (old && phantom)
    throw new Error('it lies in the folder of another skill, where a SKILL.md would be listed');
  if (old && readdirSync(dirname(file)).includes(NAME)) throw new Error(`there is a ${NAME} beside it`);
  if (!old && after === before) return null;
  const to = old ? `${path.slice(0, -NAME.length)}${NAME}` : path;
  const diff = after === before ? '' : await unifiedDiff(to, before, after);
  return { path, to, changes: [...(old ? [`rename to ${NAME}`] : []), ...changes], diff, before, after };
}

function replace(file: string, content: string): void {
  const mode = statSync(file).mode & 0o777;
  writeFileAtomic(file, content, mode);
  // What a process may create is less than what may stand there.
  chmodSync(file, mode);
}

/**
 * By a second name for the file, so that a kill leaves it one of them. Where that cannot be, by way of a third: where case
 * does not count, a rename from one spelling to the other may do nothing.
 */
function rename(file: string): void {
  const folder = dirname(file);
  try {
    linkSync(file, join(folder, NAME));
  } catch {
    renameByThird(file, folder);
    return;
  }
  unlinkSync(file);
}

function renameByThird(file: string, folder: string): void {
  const between = join(folder, `.${NAME}.${randomBytes(6).toString('hex')}.tmp`);
  renameSync(file, between);
  try {
    if (lstatSync(join(folder, NAME), { throwIfNoEntry: false }))
      throw new Error(`there is a ${NAME} beside it`);
    renameSync(between, join(folder, NAME));
  } catch (error) {
    renameSync(between, file);
    throw error;
  }
}

function below(top: string, path: string): string {
  return relative(top, path).split(sep).join('/');
}
