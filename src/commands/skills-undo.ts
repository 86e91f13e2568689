import type { Command } from '@commander-js/extra-typings';
import { value } from './flags.ts';
import type { ExitCode, Io } from './io.ts';
import { styleFor } from './style.ts';

export function configureSkillsUndo(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description(
      'Take the last publication of skills and instruction files back: old bytes and modes again, new files removed.',
    )
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option('--force', 'also where files were edited since: those edits are lost')
    .option('--json', 'what was undone as JSON')
    .addHelpText('after', '\nExit code: 0 undone; 1 refused, and nothing was changed; 2 usage.\n')
    .action(async ({ cd = process.cwd(), force = false, json = false }) => {
      const [{ skillsUndo }, { answer }, { tellPublishRecovery, undoText }] = await Promise.all([
        import('../verbs/skills-undo.ts'),
        import('./landing-text.ts'),
        import('./publish-text.ts'),
      ]);
      const work = async () => {
        const outcome = await skillsUndo({ cd, env: io.env, force });
        tellPublishRecovery(io, outcome.recovered);
        return outcome;
      };
      done(await answer(io, json, work, (outcome) => undoText(outcome, styleFor(io.colour))));
    });
}
