import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Env } from '../core/environment.ts';
import { BatonError, messageOf } from '../core/errors.ts';
import { ordinaryRepository } from './ordinary-repository.ts';
import type { NoRepository, Repository } from './repository.ts';
import { answerOf, cleanGitEnv, type GitOutput } from './trusted.ts';

/**
 * Finds the working tree that `cwd` lies in, or says why there is none. Never an exception. Where anything about it is
 * out of the ordinary git itself does the search, so that its rules (ceilings, ownership, linked worktrees) hold.
 */
export async function locateRepository(
  cwd: string,
  env: Env,
  timeoutMs: number,
): Promise<Repository | NoRepository> {
  return ordinaryRepository(cwd, env) ?? askGit(cwd, env, timeoutMs);
}

async function askGit(cwd: string, env: Env, timeoutMs: number): Promise<Repository | NoRepository> {
  // Folder names may hold newlines. rev-parse echoes a flag that it does not know: one that cannot be guessed separates.
  const mark = `--baton-${randomBytes(12).toString('hex')}`;
  const questions = [
    '--is-bare-repository',
    '--show-object-format',
    '--show-toplevel',
    '--absolute-git-dir',
    '--git-common-dir',
  ];
  let answer: GitOutput;
  try {
    answer = await answerOf('rev-parse', {
      file: 'git',
      args: ['rev-parse', ...questions.flatMap((question) => [question, mark])],
      cwd,
      env: cleanGitEnv(env, cwd),
      timeoutMs,
    });
  } catch (error) {
    const hint = error instanceof BatonError ? error.hint : undefined;
    return {
      problem: 'failed',
      detail: messageOf(error),
      hint: hint ?? 'Try again, or see why `git rev-parse --show-toplevel` does not answer here.',
    };
  }
  const text = answer.stdout.toString('utf8');
  const [bare, format, top, gitDir, commonDir] = text.split(`\n${mark}\n`);
  if (answer.code !== 0 || !top || !gitDir || !commonDir) return explain(answer.stderr, bare === 'true');
  if (!Buffer.from(text, 'utf8').equals(answer.stdout)) {
    return {
      problem: 'failed',
      detail: `the path of this repository is not UTF-8: ${top}`,
      hint: 'Move the repository to a path that is valid UTF-8.',
    };
  }
  return {
    top,
    gitDir,
    // It may be relative to the folder that git was started in.
    commonDir: realpathSync(resolve(realpathSync(cwd), commonDir)),
    objectFormat: format === 'sha256' ? 'sha256' : 'sha1',
  };
}

function explain(stderr: string, bare: boolean): NoRepository {
  const detail = stderr.trim();
  if (bare) {
    return {
      problem: 'bare',
      detail: 'this is a bare repository: it has no working tree',
      hint: 'Run in a clone or in a worktree (`git worktree add`).',
    };
  }
  if (detail.includes('dubious ownership')) {
    return {
      problem: 'refused',
      detail,
      hint: 'The repository belongs to another user. If you trust it, allow it yourself with `git config --global --add safe.directory <path>`.',
    };
  }
  if (detail.includes('not a git repository')) {
    return {
      problem: 'none',
      detail: 'not inside a git repository',
      hint: 'Run `git init` there first: without git, what a run changed cannot be proven.',
    };
  }
  return {
    problem: 'failed',
    detail: detail || 'git gave no reason',
    hint: 'Run from inside the working tree, and see what `git status` says there.',
  };
}
