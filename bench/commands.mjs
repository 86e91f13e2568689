import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from './bundle.mjs';
import { interleave, medians, timeCommand } from './measure.mjs';
import { makeFake, makeRepository } from './world.mjs';

const SAYS = [
  {
    type: 'system',
    subtype: 'init',
    session_id: '8f01e3d1-6192-42f8-b181-ac5c57663719',
    sandbox_enabled: true,
  },
  {
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: 'done',
    session_id: '8f01e3d1-6192-42f8-b181-ac5c57663719',
  },
];

/** What baton itself costs around an implementer that costs nothing, and how soon it answers at all. */
export async function benchCommands(world, { quick }) {
  makeFake(
    world,
    `cat >/dev/null\ncat <<'END'\n${SAYS.map((record) => JSON.stringify(record)).join('\n')}\nEND`,
  );
  const repository = makeRepository(world, 'small', 200);
  const brief = join(world.root, 'brief.md');
  writeFileSync(brief, 'Do nothing.\n');
  const baton = join(PROJECT, 'bin', 'baton.js');
  const relay = join(PROJECT, 'skills', 'delegate', 'scripts', 'claude-relay.mjs');

  let run = 0;
  const node = (...args) => timeCommand(process.execPath, args, { cwd: world.root, env: world.env });
  const request = () => [
    '--brief',
    brief,
    '--cd',
    repository,
    '--out-dir',
    join(world.root, 'runs', String((run += 1))),
  ];
  const installed = realClis(world);
  const measured = await interleave(
    {
      floor: () => node('-e', '0'),
      version: () => node(baton, '--version'),
      help: () => node(baton, '--help'),
      dispatch: () => node(baton, 'dispatch', ...request()),
      relay: () => node(relay, ...request()),
      readOnly: () => node(baton, 'dispatch', '--read-only', ...request()),
      ...(installed && {
        discover: () => timeCommand(process.execPath, [baton, 'discover'], installed),
        doctor: () => timeCommand(process.execPath, [baton, 'doctor', '--cd', repository], installed),
      }),
    },
    quick ? 5 : 21,
  );
  const {
    floor,
    version,
    help,
    dispatch,
    relay: dropIn,
    readOnly,
    discover,
    doctor,
  } = Object.fromEntries(Object.entries(measured).map(([name, values]) => [name, medians(values)]));
  const row = (name, value, goal = null, stretch = null) => ({
    name,
    value: value.wall / floor.wall,
    unit: '× node -e 0',
    goal,
    stretch,
    detail: `${value.wall.toFixed(0)} ms wall, ${value.cpu.toFixed(0)} ms CPU (${(value.cpu / floor.cpu).toFixed(2)} ×)`,
  });
  return [
    row('node -e 0', floor),
    row('baton --version', version),
    row('baton --help', help, 1.5),
    row('dispatch of an instant fake, snapshots included', dispatch, 3.0, 2.5),
    row('the same read-only', readOnly),
    row('the same through the drop-in relay', dropIn),
    ...(discover && doctor
      ? [
          row('baton discover, the real CLIs installed', discover),
          row('baton doctor, the real CLIs installed', doctor),
        ]
      : []),
  ];
}

/** Where and with what environment the real CLIs are found; null where `node conformance/setup.mjs` has not installed them. */
function realClis({ root, env }) {
  const clis = join(PROJECT, 'conformance', 'node_modules', '.clis');
  if (!existsSync(join(clis, 'claude')) || !existsSync(join(clis, 'codex'))) return null;
  // Signed in, so that doctor exits 0: no key is ever sent anywhere.
  return {
    cwd: root,
    env: { ...env, PATH: `${clis}:${env.PATH}`, ANTHROPIC_API_KEY: 'any', CODEX_API_KEY: 'any' },
  };
}
