import { shellWord } from '../core/shell-word.ts';
import type { Executable } from './executable.ts';
import type { Check } from './inspection.ts';

/** How a CLI is named to a person, and how it gets there. */
export interface CliNames {
  /** What is looked for on PATH. */
  name: string;
  /** The command that installs it, or installs it anew; null where baton does not know one. */
  install: string | null;
}

/** What became of looking for a CLI, in words, with the way out. */
export function executableCheck(executable: Executable, { name, install }: CliNames): Check {
  const again = install ?? `install ${name} again, as its documentation says`;
  const problem = (text: string, remedy: string): Check => ({
    id: 'executable',
    state: 'problem',
    text: `${name} ${text}`,
    remedy,
  });
  switch (executable.state) {
    case 'ready': {
      const { version, path, banner } = executable;
      const text = `${name}: ${version}, ${path}`;
      // With more lines around it the version is a guess, though a good one.
      return banner
        ? {
            id: 'executable',
            state: 'ok',
            text: `${text}; it prints more than its version: a wrapper, or a notice`,
          }
        : { id: 'executable', state: 'ok', text };
    }
    case 'no-version':
      return {
        id: 'executable',
        state: 'warning',
        text: `${name} (${executable.path}) answers, but its version cannot be read: ${executable.said === '' ? 'it prints nothing' : `it says ${JSON.stringify(executable.said)}`}`,
        remedy: `${shellWord(executable.path)} --version`,
      };
    case 'not-installed':
      return problem(
        'is not installed: no folder of PATH has it',
        install ?? `install ${name}, or put its folder on PATH`,
      );
    case 'broken-link':
      return problem(
        `is a broken link: ${executable.path} points to ${executable.target}, which is not there`,
        again,
      );
    case 'not-executable':
      return problem(
        `is there but may not be executed: ${executable.path}`,
        `chmod +x ${shellWord(executable.path)}`,
      );
    case 'no-interpreter':
      return problem(
        `is a script whose interpreter is missing: ${executable.path} needs ${executable.interpreter}`,
        `install ${executable.interpreter}, or the CLI again: ${again}`,
      );
    case 'updating':
      return problem(
        `is being updated, or an update was cut short: ${executable.path}: ${executable.why}`,
        `wait a moment and try again; if nothing is installing it just now: ${again}`,
      );
    case 'failing':
      return problem(`does not work: ${executable.path} --version: ${executable.why}`, again);
    case 'hung':
      return problem(
        `hangs: ${executable.path} --version gave no answer within ${executable.limitMs / 1000} s`,
        `see what it waits for: ${shellWord(executable.path)} --version`,
      );
  }
}
