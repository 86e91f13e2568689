import type { Command } from '@commander-js/extra-typings';
import type { ExitCode, Io } from './io.ts';
import { quiet } from './parse.ts';
import { configureSkillsGenerate } from './skills-generate.ts';
import { configureSkillsList } from './skills-list.ts';
import { configureSkillsMatch } from './skills-match.ts';
import { configureSkillsMigrate } from './skills-migrate.ts';
import { configureSkillsRules } from './skills-rules.ts';
import { configureSkillsSync } from './skills-sync.ts';
import { configureSkillsUndo } from './skills-undo.ts';
import { configureSkillsValidate } from './skills-validate.ts';

/** The subcommands, in the order of the help. Each loads what it needs in its action, not before. */
const SUBCOMMANDS: readonly {
  name: string;
  configure: (command: Command, io: Io, done: (code: ExitCode) => void) => void;
}[] = [
  { name: 'generate', configure: configureSkillsGenerate },
  { name: 'sync', configure: configureSkillsSync },
  { name: 'validate', configure: configureSkillsValidate },
  { name: 'list', configure: configureSkillsList },
  { name: 'rules', configure: configureSkillsRules },
  { name: 'match', configure: configureSkillsMatch },
  { name: 'migrate', configure: configureSkillsMigrate },
  { name: 'undo', configure: configureSkillsUndo },
];

export function configureSkills(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description("Read, check and write this repository's skills.")
    .addHelpText(
      'after',
      "\n`baton skill` is about baton's own skill, which teaches an agent to delegate.\n",
    );
  for (const { name, configure } of SUBCOMMANDS) configure(quiet(command.command(name), io), io, done);
}
