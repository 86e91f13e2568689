import { BatonError } from '../../core/errors.ts';
import { readProjectFile } from '../../trust/project-file.ts';
import { fromAgentNotes } from './agent-notes.ts';
import { fromCargo, fromGoModule, fromMakefile, fromPyproject } from './build-files.ts';
import { fromPackageScripts } from './package-scripts.ts';
import { type Proposal, type ReadText, tidy } from './proposal.ts';

/**
 * Gates that the project's own files speak of. Nothing is run and nothing is written: a person reads them, and decides.
 */
export function detectGates(top: string): Proposal[] {
  return proposalsFrom((name) => {
    try {
      return readProjectFile(top, name)?.toString('utf8') ?? null;
    } catch (error) {
      // A link (CLAUDE.md often is one to AGENTS.md), or something odd: nothing is read from it.
      if (error instanceof BatonError) return null;
      throw error;
    }
  });
}

/** The same for any way of reading; the pure half. */
export function proposalsFrom(read: ReadText): Proposal[] {
  return tidy(
    [fromPackageScripts, fromMakefile, fromPyproject, fromCargo, fromGoModule, fromAgentNotes].flatMap(
      (look) => look(read),
    ),
  );
}

/** The text of a `baton.config.json` with these gates. */
export function configText(proposals: readonly Proposal[]): string {
  const gates = proposals.map(
    ({ name, command, from }) =>
      `    // ${from}\n    { "name": ${JSON.stringify(name)}, "command": ${JSON.stringify(command)} }`,
  );
  return `{\n  "gates": [\n${gates.join(',\n')}\n  ]\n}\n`;
}
