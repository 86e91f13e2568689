import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Command } from '@commander-js/extra-typings';
import { diff, type RunDiff } from '../verbs/diff.ts';
import { colourPatch } from './colour-patch.ts';
import { value } from './flags.ts';
import type { ExitCode, Io } from './io.ts';
import { page, pour } from './pager.ts';
import { styleFor, type Style } from './style.ts';
import { visible } from './summary.ts';

export function configureDiff(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description(
      'Show exactly what a run changed: the newest run of this repository, or the one that is named.',
    )
    .argument('[run]', 'run id, or the beginning of one')
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option('--stat', 'one line a file')
    .option('--name-only', 'the paths alone')
    .option('--json', 'run, changes and patch (base64) as JSON')
    .action(async (run, flags) => {
      const found = await diff({ cd: flags.cd ?? process.cwd(), run: run ?? null, env: io.env });
      if (flags.json) await printJson(found, io);
      else if (flags.nameOnly)
        io.stdout.write(found.changes.map(({ path }) => `${visible(path)}\n`).join(''));
      else if (flags.stat) io.stdout.write(statOf(found, styleFor(io.colour)));
      else if (io.stdout.isTTY)
        await page(colourPatch(createReadStream(found.patchPath), styleFor(io.colour)), io);
      else await pour(createReadStream(found.patchPath), io.stdout);
      done(0);
    });
}

async function printJson({ runId, runIds, changes, patchPath }: RunDiff, io: Io): Promise<void> {
  const patch = (await readFile(patchPath)).toString('base64');
  io.stdout.write(`${JSON.stringify({ runId, runIds, changes, patch })}\n`);
}

function statOf({ changes }: RunDiff, style: Style): string {
  const widest = Math.max(0, ...changes.map(({ path }) => visible(path).length));
  const lines = changes.map(({ path, kind, added, deleted }) => {
    const size =
      added === null || deleted === null
        ? 'binary'
        : `${style.green(`+${added}`)} ${style.red(`-${deleted}`)}`;
    return ` ${visible(path).padEnd(widest)} | ${kind.padEnd(8)} ${size}`;
  });
  const sum = (key: 'added' | 'deleted'): number =>
    changes.reduce((total, change) => total + (change[key] ?? 0), 0);
  const files = `${changes.length} ${changes.length === 1 ? 'file' : 'files'} changed`;
  return `${[...lines, ` ${files}, +${sum('added')} -${sum('deleted')} lines`].join('\n')}\n`;
}
