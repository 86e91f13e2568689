import type { Command } from '@commander-js/extra-typings';
import type { DispatchOptions } from '../dispatch/options.ts';
import { value, values } from './flags.ts';

/** Adds what every command that starts a run takes. */
export function withDials(command: Command) {
  return command
    .option('--brief <file>', 'the brief; without it, stdin', value)
    .option('--cd <dir>', 'directory to work in (default: here)', value)
    .option('--implementer <id>', 'who does it (default: as the lane says, else claude)', value)
    .option('--lane <name>', 'a named set of dials, for one kind of work', value)
    .option('--out-dir <dir>', 'run directory (default: a new one)', value)
    .option('--timeout <dur>', 'limit of the whole run, such as 30m or 1h30m', value)
    .option('--idle-timeout <dur>', 'limit of silence (default: off)', value)
    .option('--first-event-timeout <dur>', 'limit until the first event (default: off)', value)
    .option('--completion-grace <dur>', 'how long it may go on after its result (default: 30s)', value)
    .option('--model <name>', 'model of the implementer', value)
    .option('--effort <level>', 'claude: low, medium, high, xhigh, max, ultracode; codex: any word', value)
    .option('--max-turns <n>', 'most turns', value)
    .option('--max-budget-usd <amount>', 'most US dollars', value)
    .option('--autocompact <auto|tokens>', 'when to compact the context, such as auto or 150k', value)
    .option('--resume-last', "go on with this directory's last session")
    .option('--session <id>', 'go on with this session', value)
    .option('--read-only', 'nothing may be written; a tripwire tells whether something was')
    .option('--dangerously-skip-permissions', 'no permission checks; sandbox and deny rules stay')
    .option('--sandbox <mode>', 'codex: read-only, workspace-write, danger-full-access', value)
    .option('--allow-hooks', "let the project's agent hooks run (outside the sandbox)")
    .option('--allow-write <dir>', 'one more directory that commands may write (repeatable)', values)
    .option('--allow-domain <host>', 'one more host that commands may reach (repeatable)', values)
    .option('--clean-env', 'codex: inherit no variables but a basic few (see below)')
    .option('--keep-env <name>', 'with --clean-env: keep this variable too (repeatable)', values)
    .option('--ephemeral', 'codex: keep no session; it cannot be resumed')
    .option('--skip-git-repo-check', 'codex: work outside of a git repository')
    .option('--touch <glob>', 'declared scope; a change outside is reported (repeatable)', values)
    .option('--scan-ignored', 'look at ignored files as well (size and time, not contents)')
    .option('--json', 'the result on stdout, nothing else')
    .option('--quiet', 'only the summary');
}

/** The flags that are options of a dispatch. */
export type DialFlags = Omit<ReturnType<ReturnType<typeof withDials>['opts']>, 'brief' | 'json' | 'quiet'>;

export function optionsOf({ allowDomain, ...flags }: DialFlags): Omit<DispatchOptions, 'brief'> {
  return { ...flags, ...(allowDomain === undefined ? {} : { allowDomains: allowDomain }) };
}

/** Adds what runs the project's gates around a dispatch. */
export function withGateFlags(command: Command) {
  return command
    .option('--check', "run the project's gates right after a run that completed")
    .option('--baseline', 'run them before it, too: which failed already?')
    .option('--gate <name=command>', 'one more gate (repeatable); alone, it means --check', values);
}

export type GateFlags = ReturnType<ReturnType<typeof withGateFlags>['opts']>;
