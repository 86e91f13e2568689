import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from '../src/core/command.ts';
import type { Env } from '../src/core/environment.ts';
import { askAppServer } from '../src/implementers/codex/ask-app-server.ts';
import { which } from '../src/process/which.ts';
import { runBaton } from '../test/support/baton.ts';
import { PROJECT } from '../test/support/project.ts';
import { asked, type Cli, textWorld, type TextWorld } from './text-support.ts';

/** What the hook says of the skill of this world. The CLIs' own lists of skills have no such heading. */
const ADVICE = /that fit (?:this prompt|the files just edited)[^"]*billing\/SKILL\.md/;
/** Calls for the skill by its keyword. */
const PROMPT = 'Please mend the invoice.';

/** A world in which a project has one skill, with a rule for it, and the model says one thing. */
export async function hookWorld(cli: Cli, steps: readonly object[] = [{ say: 'Done.' }]): Promise<TextWorld> {
  const world = await textWorld(cli, steps);
  const rule = {
    type: 'domain',
    enforcement: 'suggest',
    priority: 'high',
    scope: 'all',
    alwaysActivate: false,
    filePatterns: ['billing/**'],
    promptTriggers: { keywords: ['invoice'], intentPatterns: [] },
  };
  const skill = '---\nname: billing\ndescription: How bills are made.\n---\n\n# Billing\n';
  world.repository.commit({
    '.claude/skills/billing/SKILL.md': skill,
    '.agents/skills/billing/SKILL.md': skill,
    '.claude/skills/skill-rules.json': JSON.stringify({ version: '2.0', skills: { billing: rule } }),
  });
  return world;
}

async function hooks(world: TextWorld, ...args: string[]) {
  const all = ['hooks', ...args, '--json', '--target', world.cli];
  return runBaton(all, { env: world.env, cwd: world.repository.dir });
}

export async function install(world: TextWorld): Promise<void> {
  const { code, stderr } = await hooks(world, 'install', '--yes');
  if (code !== 0) throw new Error(stderr);
}

/** What `baton hooks status` says, in one word. */
export async function stateOf(world: TextWorld): Promise<string> {
  const { stdout } = await hooks(world, 'status');
  const { state, source } = JSON.parse(stdout).targets[0];
  return source === 'cli' || state === 'absent' || state === 'disabled' ? state : `${state} by files`;
}

/** Runs the CLI itself, as a person's script would, and returns how it ended and whether the model was told. */
export async function prompt(world: TextWorld, env: Env = world.env, text = PROMPT) {
  const before = asked(world).length;
  const file = which(world.cli, env);
  if (file === null) throw new Error(`no ${world.cli} on PATH`);
  const args = world.cli === 'claude' ? ['-p', '--output-format', 'json'] : ['exec', '--json', '-'];
  const { code, stdout, stderr } = await runCommand({
    file,
    args,
    cwd: world.repository.dir,
    env,
    timeoutMs: 50_000,
    input: Buffer.from(text),
  });
  const requests = asked(world).slice(before);
  return {
    code,
    printed: stdout.toString('utf8') + stderr,
    requests,
    told: requests.map((body) => ADVICE.test(body)),
    prompted: requests.some((body) => body.includes(text)),
  };
}

/** An environment in which there is no Node; the CLIs themselves are no scripts. */
export function withoutNode(world: TextWorld): Env {
  const bin = join(world.root, 'bare');
  mkdirSync(bin);
  const real =
    world.cli === 'claude'
      ? 'conformance/node_modules/@anthropic-ai/claude-code-linux-x64/claude'
      : 'conformance/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex';
  symlinkSync(join(PROJECT, real), join(bin, world.cli));
  for (const name of ['sh', 'bash', 'env', 'cat', 'uname', 'git']) {
    const path = which(name, world.env);
    if (path !== null) symlinkSync(path, join(bin, name));
  }
  return { ...world.env, PATH: bin };
}

/** Appends to codex's own settings what its dialogue writes when a person trusts this project. */
export function trustProject(world: TextWorld): void {
  codexSettings(world, `[projects.${JSON.stringify(world.repository.dir)}]\ntrust_level = "trusted"\n`);
}

/** The same for the hooks: each is trusted by its key, with the hash that codex itself gives. */
export async function trustHooks(world: TextWorld, more = ''): Promise<void> {
  const dir = world.repository.dir;
  const binary = which('codex', world.env);
  if (binary === null) throw new Error('no codex on PATH');
  const request = { binary, cwd: dir, env: world.env, limitMs: 50_000 };
  const answer = await askAppServer({ ...request, method: 'hooks/list', params: { cwds: [dir] } });
  const data = answer?.result['data'];
  const listed: { key: string; currentHash: string }[] = JSON.parse(JSON.stringify(data))[0].hooks;
  for (const { key, currentHash } of listed)
    codexSettings(world, `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${currentHash}"\n${more}`);
}

export function codexSettings(world: TextWorld, text: string): void {
  appendFileSync(join(world.home, '.codex', 'config.toml'), text);
}

/** Puts lines before all tables of codex's own settings. */
export function codexTopSettings(world: TextWorld, text: string): void {
  const path = join(world.home, '.codex', 'config.toml');
  writeFileSync(path, `${text}\n${readFileSync(path, 'utf8')}`);
}

export function writeJson(path: string, value: object): void {
  if (!existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value));
}
