import type { Command } from '@commander-js/extra-typings';
import { listLanes, type ListedLane } from '../lanes/resolve.ts';
import { type CheckedFile, fleetAt, resolveLaneAt, validateLanes } from '../verbs/lanes.ts';
import { value } from './flags.ts';
import type { ExitCode, Io } from './io.ts';
import { configureApproveLanes } from './lanes-approve.ts';
import { configureInitLanes } from './lanes-init.ts';
import { configureSetLane, configureUnsetLane } from './lanes-edit.ts';
import { fleetText } from './lanes-text.ts';
import { quiet } from './parse.ts';
import { type Style, styleFor } from './style.ts';
import { visible } from './summary.ts';

export function configureLanes(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command.description(
    'Lanes: named sets of dials, each for one kind of work, that a dispatch is given with --lane.',
  );
  configureInitLanes(quiet(command.command('init'), io), io, done);
  configureList(quiet(command.command('list'), io), io, done);
  configureResolve(quiet(command.command('resolve'), io), io, done);
  configureSetLane(quiet(command.command('set'), io), io, done);
  configureUnsetLane(quiet(command.command('unset'), io), io, done);
  configureApproveLanes(quiet(command.command('approve'), io), io, done);
  configureValidate(quiet(command.command('validate'), io), io, done);
}

function configureList(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description("Show every lane: yours and the project's, and which of them count.")
    .option('--cd <dir>', 'a directory of the project (default: here)', value)
    .option('--json', 'files and lanes as JSON')
    .action(async ({ cd = process.cwd(), json }) => {
      const fleet = await fleetAt({ cd, env: io.env });
      const lanes = listLanes(fleet);
      if (json) {
        const { global, project } = fleet;
        const files = {
          global: { path: global.path, present: global.present, problem: global.problem },
          project: project && {
            path: project.path,
            present: project.present,
            approved: project.approved,
            hash: project.hash,
            problem: project.problem,
          },
        };
        io.stdout.write(`${JSON.stringify({ ...files, lanes: lanes.map(listed) })}\n`);
      } else io.stdout.write(fleetText(fleet, lanes, styleFor(io.colour)));
      done(0);
    });
}

function listed({ name, source, state, implementer, dials, problem }: ListedLane): object {
  return { lane: name, source, state, implementer, dials, problem };
}

function configureResolve(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description('Print the lane of a name as one line of JSON: what a dispatch would take from it.')
    .requiredOption('--lane <name>', 'the lane', value)
    .option('--implementer <key>', 'fail where the lane is bound to another one', value)
    .option('--cd <dir>', 'a directory of the project (default: here)', value)
    .option('--json', 'the same: the answer is always JSON')
    .action(async ({ lane: name, implementer: asked, cd = process.cwd() }) => {
      const { lane, notes } = await resolveLaneAt({ lane: name, implementer: asked, cd, env: io.env });
      for (const note of notes) io.stderr.write(`baton: ${visible(note)}\n`);
      const { source, implementer, dials } = lane;
      io.stdout.write(`${JSON.stringify({ lane: lane.name, source, implementer, dials })}\n`);
      done(0);
    });
}

function configureValidate(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description('Check both files of lanes, or the one that is named. Exit code 1 where something is wrong.')
    .argument('[file]', 'a file of lanes, wherever it lies')
    .option('--cd <dir>', 'a directory of the project (default: here)', value)
    .option('--json', 'the files, their lanes and what is wrong as JSON')
    .action(async (file, { cd = process.cwd(), json }) => {
      const files = await validateLanes({ cd, env: io.env, file: file ?? null });
      const right = files.every(
        ({ problem, lanes }) => problem === null && lanes.every((lane) => lane.problem === null),
      );
      if (json) io.stdout.write(`${JSON.stringify({ valid: right, files: files.map(checked) })}\n`);
      else if (files.length === 0) io.stdout.write('there are no files of lanes yet\n');
      else for (const one of files) io.stdout.write(checkedText(one, styleFor(io.colour)));
      done(right ? 0 : 1);
    });
}

function checked({ path, source, approved, problem, lanes }: CheckedFile): object {
  return {
    path,
    source,
    approved,
    problem,
    lanes: lanes.map(({ name, implementer, problem: fault }) => ({
      lane: name,
      implementer,
      problem: fault,
    })),
  };
}

function checkedText({ path, approved, problem, lanes }: CheckedFile, style: Style): string {
  const faults = lanes.flatMap(({ name, problem: fault }) => (fault === null ? [] : `${name}: ${fault}`));
  const all = [...(problem === null ? [] : [problem]), ...faults];
  const approval = approved === false ? ', not approved' : '';
  const word =
    all.length === 0
      ? style.green(`ok, ${lanes.length} ${lanes.length === 1 ? 'lane' : 'lanes'}${approval}`)
      : style.red('wrong');
  return [`${visible(path)}  ${word}`, ...all.map((fault) => `  ${visible(fault)}`), ''].join('\n');
}
