import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { configHome } from '../core/config-home.ts';
import { copyEnv, type Env } from '../core/environment.ts';
import { messageOf, UsageError } from '../core/errors.ts';
import { isObject, type JsonObject } from '../core/json.ts';
import { DEFAULT_LIMITS } from '../dispatch/options.ts';
import type { Lane } from '../lanes/lane.ts';
import { isPlainName, type Vars } from '../prompts/expand.ts';
import { loadPrompt, loadPromptFile } from '../prompts/load.ts';
import { checkDirectory } from '../running/checks.ts';
import { runLLM, type TextRun } from '../running/text.ts';
import type { TextOptions } from '../running/text-options.ts';

export interface AskOptions extends Omit<TextOptions, 'schema'> {
  question: Question;
  /** Default: the lane's, else `claude`. */
  implementer?: string;
  /** Who is asked and how, by the name of a lane. What it says of writing has no meaning here: an answer is read-only. */
  lane?: string;
  /** A file with a JSON Schema that the answer must match. */
  schemaFile?: string;
}

/** The prompt as it is, or a template with its values. */
export type Question =
  | { text: string | Uint8Array }
  | {
      /** A name such as `review`, or the path of a file: anything that is no plain name. */
      prompt: string;
      vars: Vars;
      /** Looked into before the shipped prompts. Default: `prompts` in the user's configuration folder. */
      dir?: string;
    };

/** An answer, and the lane that it came by; absent where none was named. */
export interface Answer extends TextRun {
  lane?: string;
  laneSource?: Lane['source'];
}

/** Asks an implementer for a text. Rejects with a UsageError or a TextRunError. */
export async function ask(asked: AskOptions): Promise<Answer> {
  const env = asked.env ?? copyEnv(process.env);
  const { lane, options: laned } = await withLaneOf(asked, env);
  const { question, implementer, schemaFile, ...options } = laned;
  const prompt = 'text' in question ? question.text : filled(question, env);
  const schema = schemaFile === undefined ? {} : { schema: readSchema(schemaFile) };
  const run = await runLLM(prompt, { ...options, ...schema, env }, implementer ?? 'claude');
  return lane ? { ...run, lane: lane.name, laneSource: lane.source } : run;
}

/** Each dial that is not set is the lane's. */
async function withLaneOf(
  { lane: name, ...options }: AskOptions,
  env: Env,
): Promise<{ lane: Lane | null; options: Omit<AskOptions, 'lane'> }> {
  if (name === undefined) return { lane: null, options };
  const { laneAt } = await import('../lanes/lane-at.ts');
  const { lane, notes } = await laneAt({
    name,
    implementer: options.implementer,
    cwd: checkDirectory(options.cwd ?? process.cwd()).realWorkdir,
    env,
    gitTimeoutMs: DEFAULT_LIMITS.gitMs,
  });
  for (const note of notes) options.onWarning?.(note);
  const { model, effort, timeout } = lane.dials;
  return {
    lane,
    options: {
      ...(model !== undefined && { model }),
      ...(effort !== undefined && { effort }),
      ...(timeout !== undefined && { timeout }),
      ...options,
      implementer: lane.implementer,
    },
  };
}

/** A repository's own folder of prompts is never looked into unless somebody names it: it steers what is answered. */
function filled({ prompt, vars, dir }: Extract<Question, { prompt: string }>, env: Env): string {
  if (dir !== undefined && !statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--prompts ${JSON.stringify(dir)} is not a directory`);
  if (!isPlainName(prompt)) return loadPromptFile(prompt, vars);
  return loadPrompt(prompt, vars, { dir: dir ?? join(configHome(env), 'prompts') });
}

function readSchema(file: string): JsonObject {
  try {
    const schema: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isObject(schema)) return schema;
  } catch (error) {
    throw new UsageError(`--schema ${JSON.stringify(file)} cannot be used: ${messageOf(error)}`, {
      cause: error,
    });
  }
  throw new UsageError(`--schema ${JSON.stringify(file)} is not a JSON object`);
}
