import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from './bundle.mjs';
import { interleave, medians, timeCommand } from './measure.mjs';

const SKILLS = 200;

/** What the activation hook adds to each prompt and each edit, in a project of 200 skills. */
export async function benchHook(world, { quick }) {
  const root = makeProject(world);
  const script = join(root, '.claude', 'hooks', 'baton-activation.cjs');
  let session = 0;
  const hook = (name, input) => {
    // A session of its own each time: a second prompt has less to say, and is faster.
    const text = JSON.stringify({ session_id: `bench-${(session += 1)}`, cwd: root, ...input });
    return timeHook(world, text, script, `baton-hook:${name}`);
  };
  const measured = await interleave(
    {
      floor: () => timeHook(world, '', '-e', '0'),
      prompt: () => hook('skill-activation', { hook_event_name: 'UserPromptSubmit', prompt: PROMPT }),
      edit: () =>
        hook('edit-tracker', {
          hook_event_name: 'PostToolUse',
          tool_input: { file_path: 'src/area-3/a.ts' },
        }),
    },
    quick ? 9 : 41,
  );
  const { floor, prompt, edit } = Object.fromEntries(
    Object.entries(measured).map(([name, values]) => [
      name,
      { ...medians(values), fastest: Math.min(...values.map(({ wall }) => wall)) },
    ]),
  );
  // A difference grows with everything else that the machine does, other than a ratio: so of the fastest runs.
  const row = (name, value) => ({
    name,
    value: value.fastest - floor.fastest,
    unit: 'ms over node -e 0',
    goal: 40,
    stretch: null,
    detail: `fastest runs; medians: ${(value.wall - floor.wall).toFixed(0)} ms more wall, ${(value.cpu - floor.cpu).toFixed(0)} ms more CPU`,
  });
  return [row('activation hook at a prompt, 200 skills', prompt), row('the same after an edit', edit)];
}

const PROMPT =
  'Please raise the retry limit in src/area-7/limit.ts, add a test for area 12, and mind that word 33 4 is shown.';

/** bash hands the hook its input, as a file, so that only the hook itself is timed. */
function timeHook(world, input, ...args) {
  const file = join(world.root, 'input.json');
  writeFileSync(file, input);
  return timeCommand('sh', ['-c', 'exec "$0" "$@" < "$INPUT"', process.execPath, ...args], {
    cwd: world.root,
    env: { ...world.env, INPUT: file },
  });
}

function makeProject(world) {
  const root = join(world.root, 'project');
  mkdirSync(join(root, '.claude', 'hooks'), { recursive: true });
  copyFileSync(
    join(PROJECT, 'dist', 'hooks', 'baton-activation.cjs'),
    join(root, '.claude', 'hooks', 'baton-activation.cjs'),
  );
  const skills = {};
  for (let index = 0; index < SKILLS; index += 1) {
    const name = `area-${index}`;
    mkdirSync(join(root, '.claude', 'skills', name), { recursive: true });
    writeFileSync(join(root, '.claude', 'skills', name, 'SKILL.md'), `---\nname: ${name}\n---\n`);
    skills[name] = {
      type: 'domain',
      enforcement: 'suggest',
      priority: 'high',
      scope: 'all',
      alwaysActivate: false,
      filePatterns: [`src/area-${index}/**`, `packages/*/area-${index}/*.ts`, `**/*.area${index}.test.ts`],
      promptTriggers: {
        keywords: Array.from({ length: 8 }, (_, word) => `word ${index} ${word}`),
        intentPatterns: [`(?:create|add|change).*?area ${index}\\b`, `(?:fix|debug).*?domain ${index}\\b`],
      },
    };
  }
  const rules = join(root, '.claude', 'skills', 'skill-rules.json');
  writeFileSync(rules, `${JSON.stringify({ version: '2.0', skills }, null, 2)}\n`);
  return root;
}
