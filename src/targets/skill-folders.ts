import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Env } from '../core/environment.ts';
import type { TargetId } from './target.ts';

/** The folders of a person's own skills in which an agent product looks, in any repository; absolute, the usual one first. */
export function personalSkillFolders(target: TargetId, env: Env): readonly [string, ...string[]] {
  const home = homeOf(env);
  if (target === 'claude') return [join(env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'), 'skills')];
  const codexHome = env['CODEX_HOME'] || join(home, '.codex');
  return [join(home, '.agents', 'skills'), join(codexHome, 'skills')];
}

/** The home of whoever runs with this environment. */
export function homeOf(env: Env): string {
  return env['HOME'] || homedir();
}
