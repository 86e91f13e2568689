import { arrayOf, type JsonObject, objectOf, stringOf } from '../core/json.ts';
import type { CostBlock } from '../rundir/result.ts';
import { runLLM } from '../running/text.ts';
import { addCosts } from '../running/text-cost.ts';
import { TextRunError } from '../running/text-error.ts';
import type { TextOptions } from '../running/text-options.ts';
import { acceptFiles } from '../answers/accept-files.ts';
import type { FileBlock, FileOutput } from '../answers/file-block.ts';
import { parseFileOutput } from '../answers/parse-file-output.ts';
import type { AllowedPaths } from '../targets/sanitize-path.ts';

/** How an implementer is asked, but for what is asked. */
export type Asking = Omit<TextOptions, 'schema'> & { implementer: string };

/** What an implementer handed over. */
export interface FileAnswer {
  output: FileOutput;
  /** The answer as it came. */
  raw: string;
  usage: CostBlock;
}

const FILES_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    files: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, content: { type: 'string' } },
        required: ['path', 'content'],
        additionalProperties: false,
      },
    },
  },
  required: ['files'],
  additionalProperties: false,
};

/**
 * Asks for files: as structured output first, which cannot be cut in the wrong place. Where that fails, what was said is
 * read by the file protocol, and only if there is no file in it, the question is put once more without a schema.
 * Rejects as `runLLM` does.
 */
export async function askForFiles(
  prompt: string,
  { implementer, ...options }: Asking,
  allowed: AllowedPaths,
): Promise<FileAnswer> {
  let failed: TextRunError;
  try {
    const run = await runLLM(prompt, { ...options, schema: FILES_SCHEMA }, implementer);
    return { output: acceptFiles(filesIn(run.structuredOutput), allowed), raw: run.text, usage: run.usage };
  } catch (error) {
    if (!(error instanceof TextRunError) || !isWorthAnotherWay(error)) throw error;
    failed = error;
  }
  const { text, usage } = failed.failure;
  const said = parseFileOutput(text, allowed);
  if (said.files.length > 0) return { output: said, raw: text, usage };
  const run = await runLLM(prompt, options, implementer);
  return { output: parseFileOutput(run.text, allowed), raw: run.text, usage: addCosts(usage, run.usage) };
}

/** Whether the failure may lie in the schema alone: a version without one, or a model that does not keep to it. */
export function isWorthAnotherWay({ code, failure }: TextRunError): boolean {
  if (code !== 'text-run') return true;
  const unknown = failure.reason === null || failure.reason === 'other';
  return failure.status === 'failed' && unknown && failure.exitCode < 124;
}

/** The schema was held against it. */
function filesIn(value: unknown): FileBlock[] {
  return arrayOf(objectOf(value)['files']).map((one) => {
    const { path, content } = objectOf(one);
    return { path: stringOf(path) ?? '', content: stringOf(content) ?? '' };
  });
}
