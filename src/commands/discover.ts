import type { Command } from '@commander-js/extra-typings';
import type { Discovery, FoundCli, MissingCli } from '../lanes/discover/discover.ts';
import { abortCause, judgeAbort } from '../running/judge.ts';
import { discover } from '../verbs/discover.ts';
import { value } from './flags.ts';
import type { ExitCode, Io } from './io.ts';
import { type Style, styleFor } from './style.ts';
import { visible } from './summary.ts';

export function configureDiscover(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description(
      'Find the agent CLIs of this machine, their versions, and who is signed in. No model is asked.',
    )
    .option('--cd <dir>', 'where a run would work (default: here)', value)
    .option('--json', 'all of it as JSON: delegate-discover.v1')
    .action(async ({ cd = process.cwd(), json }) => {
      const { signal } = io.interruptible();
      const discovery = await discover({ cd, env: io.env, signal });
      if (signal.aborted) return done(judgeAbort(abortCause(signal)).exitCode);
      io.stdout.write(
        json ? `${JSON.stringify(discovery)}\n` : discoveryText(discovery, styleFor(io.colour)),
      );
      done(0);
    });
}

/** A table of what is there, what is wrong with some of it, and the names of what is not. */
function discoveryText({ discovered, missing }: Discovery, style: Style): string {
  const rows = discovered.map((cli) => rowOf(cli));
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  const table = rows.map((row, at) => {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    const [key = '', version = '', standing = '', path = ''] = cells;
    const paint = discovered[at]?.driven ? style.bold : style.dim;
    return `${paint(key)}  ${version}  ${standing}  ${style.dim(path)}`.trimEnd();
  });
  const absent = missing.filter(({ state }) => state === 'not-installed').map(({ key }) => key);
  const lines = [
    ...table,
    ...[...discovered, ...missing].flatMap((cli) => troubleOf(cli, style)),
    ...(absent.length > 0 ? [style.dim(`not installed: ${absent.join(', ')}`)] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function rowOf(cli: FoundCli): string[] {
  return [cli.key, visible(cli.version ?? cli.state), standingOf(cli), visible(cli.path)];
}

function standingOf({ driven, state, authenticated, models }: FoundCli): string {
  if (!driven) return 'not driven by baton';
  if (state !== 'ready' && state !== 'no-version') return 'does not work';
  const signedIn = authenticated === null ? 'sign-in unknown' : authenticated ? 'signed in' : 'not signed in';
  return models.status === 'reported' ? `${signedIn}, ${models.values.length} models` : signedIn;
}

function troubleOf(cli: FoundCli | MissingCli, style: Style): string[] {
  if (cli.state === 'ready' || cli.state === 'not-installed' || cli.note === null) return [];
  return [style.yellow(visible(cli.note)), ...(cli.remedy === null ? [] : [`  ${visible(cli.remedy)}`])];
}
