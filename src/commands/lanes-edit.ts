import type { Command } from '@commander-js/extra-typings';
import { UsageError } from '../core/errors.ts';
import type { LaneSource } from '../lanes/lane.ts';
import { type EditedLanes, setLaneAt, unsetLaneAt } from '../verbs/edit-lanes.ts';
import { value } from './flags.ts';
import type { ExitCode, Io } from './io.ts';
import { dialsText } from './lanes-text.ts';
import { visible } from './summary.ts';

export function configureSetLane(command: Command, io: Io, done: (code: ExitCode) => void): void {
  withPlace(command)
    .description('Make a lane, or set dials of one. Everything else in the file stays as it is.')
    .argument('<lane>', 'its name')
    .option('--implementer <key>', 'who does the work; another one than before drops the old dials', value)
    .option('--model <name>', 'its model', value)
    .option('--effort <level>', 'claude: low, medium, high, xhigh, max, ultracode; codex: any word', value)
    .option('--variant <name>', 'its variant, for CLIs that have one', value)
    .option('--timeout <dur>', 'limit of the whole run, such as 30m or 1h30m', value)
    .option('--read-only', 'nothing may be written')
    .option('--no-read-only', 'it may write')
    .option('--sandbox <mode>', 'codex: read-only, workspace-write, danger-full-access', value)
    .option('--permission-mode <mode>', 'for CLIs that have one', value)
    .option('--force', 'for CLIs that have it')
    .option('--no-force', 'without it')
    .option('--provider <name>', 'for CLIs that have one', value)
    .action(async (name, { implementer, cd, global, project, approve, json, ...dials }) => {
      const edited = await setLaneAt({
        ...editOf({ name, cd, global, project, approve }, io),
        implementer,
        dials,
      });
      const text = `${name}  ${edited.implementer}  ${dialsText(edited.dials) || 'no dials'}`;
      show(io, edited, json ? { lane: name, implementer: edited.implementer, dials: edited.dials } : text);
      done(0);
    });
}

export function configureUnsetLane(command: Command, io: Io, done: (code: ExitCode) => void): void {
  withPlace(command)
    .description('Take a lane out, or some of its dials. Everything else in the file stays as it is.')
    .argument('<lane>', 'its name')
    .argument(
      '[dials...]',
      'as they are called in the file, such as effort or readOnly; without any, the whole lane',
    )
    .action(async (name, fields, { cd, global, project, approve, json }) => {
      const edited = await unsetLaneAt({ ...editOf({ name, cd, global, project, approve }, io), fields });
      show(
        io,
        edited,
        json ? { lane: name, fields } : `${name}  without ${fields.join(', ') || 'a lane of that name'}`,
      );
      done(0);
    });
}

function withPlace(command: Command) {
  return command
    .option('--global', 'in your own file (default: the one that has the lane, else your own)')
    .option('--project', "in the project's file, .delegate/config.json")
    .option(
      '--approve',
      "approve the project's file as it is afterwards, if it was approved before or is new",
    )
    .option('--cd <dir>', 'a directory of the project (default: here)', value)
    .option('--json', 'what was written as JSON');
}

interface PlaceFlags {
  name: string;
  cd: string | undefined;
  global: boolean | undefined;
  project: boolean | undefined;
  approve: boolean | undefined;
}

function editOf({ name, cd = process.cwd(), global, project, approve = false }: PlaceFlags, io: Io) {
  if (global && project) throw new UsageError('--global and --project exclude each other: choose one');
  const scope: LaneSource | null = global ? 'global' : project ? 'project' : null;
  return { name, cd, scope, approve, env: io.env };
}

function show(io: Io, { path, source, approved }: EditedLanes, what: object | string): void {
  if (typeof what === 'object') {
    io.stdout.write(`${JSON.stringify({ path, source, approved, ...what })}\n`);
    return;
  }
  const too = source === 'project' && approved ? ', and approved' : '';
  io.stdout.write(`${visible(what)}\nwritten to ${visible(path)}${too}\n`);
  if (!approved) io.stdout.write('it does not count as it is now: `baton lanes approve` shows it and asks\n');
}
