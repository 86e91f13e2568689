import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Env, readVariable } from '../../core/environment.ts';
import type { Probe, ProbeRequest } from '../implementer.ts';

type Warning = Probe['warnings'][number];

interface CodexSettings {
  /** Servers of the user's that would be started: they run outside the sandbox. */
  mcpServers: string[];
  /** The user's own provider of models; null where it is the vendor. */
  provider: string | null;
  warnings: Warning[];
  /** Of a version that cannot be told to ignore rules. */
  ruleWarnings: Warning[];
}

/**
 * What the user's settings, and those of the project, do to the sandbox of a run. A few small files are read as text:
 * tables and keys stand on lines of their own, which is all that has to be known. None of them can fail the run.
 */
export async function codexSettings({
  env,
  cwd,
  platform,
}: Pick<ProbeRequest, 'env' | 'cwd' | 'platform'>): Promise<CodexSettings> {
  const home = codexHome(env, platform);
  const projects = projectFolders(cwd).map((folder) => join(folder, '.codex'));
  const [user, ofProjects, rules] = await Promise.all([
    read(join(home, 'config.toml')),
    Promise.all(projects.map((folder) => read(join(folder, 'config.toml')))),
    Promise.all([home, ...projects].map((folder) => ruleFiles(join(folder, 'rules')))),
  ]);
  const { names, odd } = mcpServers(user.text);
  return {
    mcpServers: names,
    provider: providerOf(user.text),
    warnings: [
      ...(odd ? [mcpWarning(user)] : []),
      ...ofProjects.filter(({ text }) => /^\s*\[?\s*mcp_servers\b/m.test(text)).map(mcpWarning),
      ...(/^\s*(?:sandbox_workspace_write\.)?network_access\s*=\s*true/m.test(user.text)
        ? [{ text: `network_access is on in ${user.path}: commands of a run reach the network`, gap: false }]
        : []),
    ],
    ruleWarnings: rules.flat().map((path) => ({
      text: `${path} may let commands run outside the sandbox, and this version of codex cannot be told to ignore it`,
      gap: true,
    })),
  };
}

interface SettingsFile {
  path: string;
  /** Empty where there is none. */
  text: string;
}

function mcpWarning({ path }: SettingsFile): Warning {
  return {
    text: `${path} names MCP servers: those that codex starts run outside its sandbox, and may do what the run must not`,
    gap: true,
  };
}

/** `[mcp_servers.name]` and `[mcp_servers."a name"]`; any other way to write it is only noticed. */
export function mcpServers(toml: string): { names: string[]; odd: boolean } {
  const names = new Set<string>();
  let odd = false;
  for (const [line] of toml.matchAll(/^\s*\[?\s*mcp_servers\b.*$/gm)) {
    const table = /^\s*\[\s*mcp_servers\s*\.\s*(?:([\w-]+)|"([^"\\]+)"|'([^']+)')\s*[\].]/.exec(line);
    const name = table?.[1] ?? table?.[2] ?? table?.[3];
    if (name === undefined) odd = true;
    else names.add(name);
  }
  return { names: [...names], odd };
}

/** `model_provider` of the top of the file, before any table. */
function providerOf(toml: string): string | null {
  const top = toml.split(/^\s*\[/m, 1)[0] ?? '';
  const provider = /^\s*model_provider\s*=\s*["']([^"']+)["']/m.exec(top)?.[1] ?? 'openai';
  return provider === 'openai' ? null : provider;
}

function codexHome(env: Env, platform: NodeJS.Platform): string {
  const home = readVariable(env, platform === 'win32' ? 'USERPROFILE' : 'HOME', platform) || homedir();
  return readVariable(env, 'CODEX_HOME', platform) || join(home, '.codex');
}

/** From the working directory up to the top of its repository; outside of one only the directory itself. */
function projectFolders(cwd: string): string[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder);
    if (existsSync(join(folder, '.git'))) return folders;
    if (dirname(folder) === folder) return [cwd];
  }
}

async function ruleFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith('.rules')).map((name) => join(folder, name));
}

async function read(path: string): Promise<SettingsFile> {
  return { path, text: await readFile(path, 'utf8').catch(() => '') };
}
