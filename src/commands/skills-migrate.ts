import type { Command } from '@commander-js/extra-typings';
import type { Migration } from '../verbs/skills-migrate.ts';
import { paintPatchLine } from './colour-patch.ts';
import { value } from './flags.ts';
import type { ExitCode, Io } from './io.ts';
import { confirm } from './questions.ts';
import { type Style, styleFor } from './style.ts';
import { visible } from './summary.ts';

export function configureSkillsMigrate(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description(
      'Bring skills into the form that the CLIs read: SKILL.md as the name, quotes where YAML needs them, triggers in the frontmatter.',
    )
    .option('--dry-run', 'only show what would be changed')
    .option('--yes', 'change it without being asked')
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option('--json', 'what is changed, and what is left, as JSON')
    .addHelpText('after', '\nExit code: 0 done, or nothing to do; 1 something is left as it is; 2 usage.\n')
    .action(async ({ cd = process.cwd(), dryRun = false, yes = false, json }) => {
      const { migrate, planMigration } = await import('../verbs/skills-migrate.ts');
      const plan = await planMigration({ cd, env: io.env });
      const { migrations, problems } = plan;
      if (!json) {
        for (const migration of migrations) io.stdout.write(migrationText(migration, styleFor(io.colour)));
        for (const problem of problems) io.stderr.write(`baton: ${visible(problem)}\n`);
      }
      const many = `${migrations.length} ${migrations.length === 1 ? 'file' : 'files'}`;
      const wanted = migrations.length > 0 && !dryRun;
      const written = wanted && (yes || (await confirm(io, `Change ${many}?`, '--yes')));
      if (written) migrate(plan);
      if (json) {
        const told = migrations.map(({ path, to, changes, diff }) => ({ path, to, changes, diff }));
        io.stdout.write(`${JSON.stringify({ written, migrations: told, problems })}\n`);
      } else if (migrations.length === 0) io.stdout.write('nothing to migrate\n');
      else io.stdout.write(written ? `${many} changed\n` : 'nothing was changed\n');
      done(problems.length > 0 || (wanted && !written) ? 1 : 0);
    });
}

function migrationText({ path, changes, diff }: Migration, style: Style): string {
  const lines = diff === '' ? [] : diff.replace(/\n$/, '').split('\n');
  return [
    `${style.bold(visible(path))}: ${changes.map(visible).join(', ')}`,
    ...lines.map((line) => paintPatchLine(line, style)),
    '',
  ].join('\n');
}
