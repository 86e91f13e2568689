import type { Command } from '@commander-js/extra-typings';
import { UsageError } from '../core/errors.ts';
import { TextRunError } from '../running/text-error.ts';
import type { TextRun } from '../running/text.ts';
import { ask, type AskOptions, type Question } from '../verbs/ask.ts';
import { value, values } from './flags.ts';
import type { ExitCode, Io } from './io.ts';
import { LiveLine } from './live-line.ts';
import { styleFor } from './style.ts';
import { readAll } from './read-all.ts';
import { readVars } from './vars.ts';

export function configureAsk(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description('Ask an implementer for a text: read-only, the answer on stdout, everything else on stderr.')
    .option('--prompt <name|file>', 'a prompt by name, or a file; without it, stdin as it is', value)
    .option('--var <name=value>', 'a value for the prompt (repeatable)', values)
    .option('--var-file <name=file>', 'the same from a file, or from stdin with - (repeatable)', values)
    .option('--prompts <dir>', 'a folder of prompts that come before the shipped ones', value)
    .option('--implementer <id>', 'who answers (default: as the lane says, else claude)', value)
    .option('--lane <name>', 'a named set of dials: model, effort and timeout of it count here', value)
    .option('--cd <dir>', 'directory to work in (default: here)', value)
    .option('--model <name>', 'model of the implementer', value)
    .option('--effort <level>', 'effort of the model', value)
    .option('--timeout <dur>', 'limit, such as 90, 90s or 5m (default: $BATON_TIMEOUT, else 5m)', value)
    .option('--schema <file>', 'a JSON Schema: the answer is JSON that matches it', value)
    .option('--no-tools', 'the implementer may not even read files')
    .option('--json', 'the answer and its cost as one JSON object')
    .addHelpText('after', HELP)
    .action(async ({ prompt, var: given, varFile, prompts, cd, schema, tools, json = false, ...flags }) => {
      const options: AskOptions = {
        ...flags,
        question: await questionOf({ prompt, given, varFile, prompts }, io),
        env: io.env,
        ...(cd === undefined ? {} : { cwd: cd }),
        ...(schema === undefined ? {} : { schemaFile: schema }),
        ...(tools ? {} : { tools: 'none' }),
      };
      done(await askAndShow(options, io, json));
    });
}

interface QuestionFlags {
  prompt: string | undefined;
  given: string[] | undefined;
  varFile: string[] | undefined;
  prompts: string | undefined;
}

async function questionOf({ prompt, given, varFile, prompts }: QuestionFlags, io: Io): Promise<Question> {
  if (prompt !== undefined) {
    const vars = await readVars(given ?? [], varFile ?? [], io.stdin);
    return { prompt, vars, ...(prompts === undefined ? {} : { dir: prompts }) };
  }
  if (given !== undefined || varFile !== undefined || prompts !== undefined)
    throw new UsageError(
      '--var, --var-file and --prompts belong to --prompt: a prompt from stdin is taken as it is',
    );
  if (io.stdin.isTTY)
    throw new UsageError('there is no prompt: name one with --prompt, or pipe it into stdin');
  return { text: await readAll(io.stdin) };
}

/** Asks in front of a person or a pipe. */
async function askAndShow(options: AskOptions, io: Io, json: boolean): Promise<ExitCode> {
  const live = io.stderr.isTTY ? new LiveLine(io.stderr, styleFor(io.colour)) : null;
  const say = (text: string): void => {
    if (live) live.above(Buffer.from(text));
    else io.stderr.write(text);
  };
  try {
    const run = await ask({
      ...options,
      ...io.interruptible(),
      onEvent: (event) => live?.show(event),
      onStderr: (chunk) => (live ? live.above(chunk) : io.stderr.write(chunk)),
      onWarning: (text) => say(`baton: ${text}\n`),
      onKept: (directory) => say(`baton: the raw stream is kept in ${directory}\n`),
    });
    live?.stop();
    io.stdout.write(json ? `${JSON.stringify(run)}\n` : answerOf(run));
    return 0;
  } catch (error) {
    live?.stop();
    if (!(error instanceof TextRunError)) throw error;
    if (json) io.stdout.write(`${JSON.stringify({ error: errorOf(error) })}\n`);
    io.stderr.write(`baton: ${error.message.replace(/\s*\n\s*/g, ' ')}\n`);
    return error.failure.exitCode;
  }
}

function answerOf({ text, structuredOutput }: TextRun): string {
  const answer = structuredOutput === undefined ? text : JSON.stringify(structuredOutput, null, 2);
  return answer.endsWith('\n') ? answer : `${answer}\n`;
}

function errorOf({ code, message, failure }: TextRunError): object {
  return { code, message, ...failure };
}

const HELP = `
Shipped prompts: brief (task), commit-message (diff), review (diff). Yours lie in ~/.config/baton/prompts/<name>.md.
BATON_DEBUG=1 keeps the raw stream.

Exit code: 0 the answer is on stdout; 2 usage (nothing was started); 124 the preflight hung; 127 no executable; 128+n
ended by signal n; otherwise the implementer's own, or 1.

Examples:
  baton ask --prompt brief --var task='make the retry limit a flag' --cd ~/project > brief.md
  git diff | baton ask --prompt review --var-file diff=-
  echo 'Is 91 prime? Answer yes or no.' | baton ask --no-tools
`;
