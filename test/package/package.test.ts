import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { dispatch, resultOf, runBaton } from '../support/baton.ts';
import { type Surroundings, surroundings } from '../support/environment.ts';
import { fakeSaying } from '../support/fake.ts';
import { PROJECT } from '../support/project.ts';
import { init, success, text } from '../support/records.ts';
import { makeRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { NODES } from './nodes.ts';
import { type InstalledPackage, installPackage } from './tarball.ts';

// U+2028 and U+2029 are line ends for JavaScript but not for JSON lines; the emoji needs four bytes.
const HARD_TEXT = 'before\u2028between\u2029after 🧩';

const manifest: { name: string; version: string } = JSON.parse(
  readFileSync(join(PROJECT, 'package.json'), 'utf8'),
);

let installed: InstalledPackage;
let where: Surroundings;

beforeAll(async () => {
  installed = await installPackage();
  where = surroundings();
  fakeSaying(where, [init(), text(HARD_TEXT), success(HARD_TEXT)]);
});

const NEEDED = [
  'bin/baton.js',
  'bin/baton-scripted.js',
  'bin/package.json',
  'demo/demo.mjs',
  'demo/project/math.test.js',
  'dist/cli/main.cjs',
  'dist/lib/index.d.ts',
  'dist/lib/skills.d.ts',
  'lib/index.js',
  'lib/skills.js',
  'docs/contracts/result.schema.json',
  'prompts/review.md',
  '.claude-plugin/plugin.json',
  '.claude-plugin/marketplace.json',
  'skills/delegate/SKILL.md',
  'skills/delegate/scripts/claude-relay.mjs',
  'skills/delegate/scripts/codex-relay.mjs',
  'LICENSE',
  'README.md',
  'THIRD-PARTY-NOTICES.md',
];

describe('the tarball', () => {
  it('holds what a user needs and nothing of the workshop', () => {
    const paths = installed.packed.map((file) => file.path);
    expect(NEEDED.filter((path) => !paths.includes(path))).toEqual([]);
    const own = paths.filter((path) => !path.startsWith('demo/project/'));
    const workshop = /^(?:src|test|conformance|bench|scripts|docs\/pictures)\/|\.test\.|\.map$/;
    expect(own.filter((path) => workshop.test(path))).toEqual([]);
  });

  it('takes less than 3 MB', () => {
    expect(installed.packed.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(3_000_000);
  });

  it('has executables that are executable', () => {
    const programs = installed.packed.filter(({ path }) => /^bin\/.*\.js$/.test(path));
    expect(programs.filter((file) => (file.mode & 0o111) === 0)).toEqual([]);
  });

  it('has types that a strict consumer can use', () => {
    writeFileSync(join(installed.project, 'consumer.ts'), CONSUMER);
    for (const [module, moduleResolution] of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ]) {
      const compilerOptions = { ...CONSUMER_OPTIONS, module, moduleResolution };
      writeFileSync(
        join(installed.project, 'tsconfig.json'),
        JSON.stringify({ compilerOptions, files: ['consumer.ts'] }),
      );
      const tsc = spawnSync(
        process.execPath,
        [join(PROJECT, 'node_modules/typescript/bin/tsc'), '--noEmit'],
        {
          cwd: installed.project,
          encoding: 'utf8',
        },
      );
      expect(tsc.stdout).toBe('');
      expect(tsc.status).toBe(0);
    }
  });
});

const CONSUMER_OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  target: 'es2023',
  resolveJsonModule: true,
  // What a consumer has installed beside the package: Node's types.
  typeRoots: [join(PROJECT, 'node_modules', '@types')],
  types: ['node'],
};

const CONSUMER = `
import { dispatch, startRun, type AgentEvent, type DispatchOptions, type Result } from 'baton-relay';
import { readFrontmatter } from 'baton-relay/skills';
import schema from 'baton-relay/result.schema.json' with { type: 'json' };
const options: DispatchOptions = { brief: 'do it', cd: '.', signal: new AbortController().signal };
const run = startRun(options);
export async function texts(): Promise<string[]> {
  const seen: string[] = [];
  for await (const event of run.events) if (event.type === 'text') seen.push(event.text);
  const last: AgentEvent | undefined = undefined;
  const result: Result = await run.result;
  const again: Result = await dispatch(options);
  return [...seen, result.finalMessage, again.status, String(last), typeof schema, typeof readFrontmatter];
}
`;

describe.each(NODES)('on the $role Node', ({ binary, present }) => {
  it.runIf(present)('says its version', async () => {
    const run = await runBaton(['--version'], { env: where.env, node: binary, file: program('baton') });
    expect(run).toEqual({ code: 0, signal: null, stdout: `${manifest.version}\n`, stderr: '' });
  });

  it.runIf(present)('helps', async () => {
    const run = await runBaton(['--help'], { env: where.env, node: binary, file: program('baton') });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('dispatch');
  });

  it.runIf(present)('dispatches, and takes U+2028 for a character and not for a line', async () => {
    const { dir: cd } = makeRepository();
    const run = await dispatch(where, { cd, node: binary, file: program('baton') });
    expect(resultOf(run)).toMatchObject({ status: 'completed', exitCode: 0, finalMessage: HARD_TEXT });
    expect(resultOf(run).stream).toMatchObject({ events: 3, unreadable: 0, truncated: false });
    expect(readFileSync(join(run.dir, 'events.jsonl'), 'utf8')).toContain(HARD_TEXT);
    expect(run.code).toBe(0);
  });

  it.runIf(present)('dispatches through the relay alone, copied to where nothing else is', async () => {
    const { dir: cd } = makeRepository();
    const file = join(temporaryFolder(), 'moved-relay.mjs');
    copyFileSync(join(installed.folder, 'skills/delegate/scripts/claude-relay.mjs'), file);
    const run = await dispatch(where, { cd, node: binary, program: 'relay', file });
    expect(resultOf(run)).toMatchObject({
      schema: 'delegate-relay.result.v1',
      status: 'completed',
      finalMessage: HARD_TEXT,
    });
    expect(run.code).toBe(0);
  });

  it.runIf(present)('is a library', () => {
    const { dir: cd } = makeRepository();
    const code = `
      import { dispatch, startRun } from 'baton-relay';
      const options = { brief: 'do it', cd: ${JSON.stringify(cd)}, outDir: ${JSON.stringify(join(temporaryFolder(), 'run'))} };
      const run = startRun(options);
      const types = [];
      for await (const event of run.events) types.push(event.type);
      const { status, finalMessage } = await run.result;
      console.log(JSON.stringify({ types, status, finalMessage, dispatch: typeof dispatch }));
    `;
    const out = execFileSync(binary, ['--input-type=module', '-e', code], {
      cwd: installed.project,
      env: where.env,
      encoding: 'utf8',
    });
    expect(JSON.parse(out)).toEqual({
      types: ['session', 'text', 'finished'],
      status: 'completed',
      finalMessage: HARD_TEXT,
      dispatch: 'function',
    });
  });

  it.runIf(present)('plays the demo, with nothing on PATH but Node and git', async () => {
    const bin = temporaryFolder();
    symlinkSync(binary, join(bin, 'node'));
    symlinkSync(
      execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim(),
      join(bin, 'git'),
    );
    const env = { ...where.env, PATH: bin };
    const run = await runBaton(['demo'], { env, node: binary, file: program('baton') });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('Fixed, proven, landed.');
  });

  it.runIf(present)('has a scripted implementer that starts', async () => {
    const file = program('baton-scripted');
    expect(await runBaton(['--version'], { env: where.env, node: binary, file })).toMatchObject({
      code: 0,
      stderr: '',
    });
  });
});

/** An executable of the installed package. */
function program(name: 'baton' | 'baton-scripted'): string {
  return join(installed.folder, 'bin', `${name}.js`);
}
