import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { checkModelScript } from '../src/scripted-model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../src/scripted-model/server.ts';
import { claudeEnvironment, codexEnvironment, type RealWorld, realWorld } from './support.ts';

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
    cli === 'claude'
      ? { ...claudeEnvironment(model.url), CLAUDE_CODE_MAX_RETRIES: '1' }
      : codexEnvironment(join(world.home, '.codex'), model.url),
  );
  return { ...world, cli, model };
}

/** What the model was asked in the script's turns, as text. */
export function asked({ model }: TextWorld): string[] {
  return model.requests.filter(({ kind }) => kind === 'turn').map(({ body }) => JSON.stringify(body));
}
