import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Env } from '../src/core/environment.ts';
import { checkModelScript } from '../src/scripted-model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../src/scripted-model/server.ts';
import { type RealWorld, realWorld } from './support.ts';

export type Cli = 'claude' | 'codex';

/** A world in which this CLI is asked for texts, and the model that answers. */
export interface TextWorld extends RealWorld {
  cli: Cli;
  model: ScriptedModel;
}

/** Never a real key, never a real service; few retries, so that an error step does not last. */
export async function textWorld(cli: Cli, steps: readonly object[]): Promise<TextWorld> {
  const world = realWorld();
  const model = await startScriptedModel({ steps: checkModelScript(steps), cwd: world.repository.dir });
  onTestFinished(() => model.close());
  Object.assign(
    world.env,
    cli === 'claude' ? claudeEnvironment(model.url) : codexEnvironment(world, model.url),
  );
  return { ...world, cli, model };
}

/** What the model was asked in the script's turns, as text. */
export function asked({ model }: TextWorld): string[] {
  return model.requests.filter(({ kind }) => kind === 'turn').map(({ body }) => JSON.stringify(body));
}

function claudeEnvironment(url: string): Env {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'any',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_MAX_RETRIES: '1',
  };
}

function codexEnvironment({ home }: RealWorld, url: string): Env {
  const folder = join(home, '.codex');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'config.toml'),
    `model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 1
stream_max_retries = 1
`,
  );
  return { CODEX_HOME: folder, SCRIPTED_KEY: 'any' };
}
