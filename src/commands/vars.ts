import { readFileSync } from 'node:fs';
import { messageOf, UsageError } from '../core/errors.ts';
import { isPlainName, type Vars } from '../prompts/expand.ts';
import { readAll } from './read-all.ts';

/**
 * The values of `--var name=value` and `--var-file name=file`, where the file `-` is stdin. Throws a UsageError for a
 * pair without a plain name, a name that was given twice, and a file that cannot be read.
 */
export async function readVars(
  pairs: readonly string[],
  files: readonly string[],
  stdin: NodeJS.ReadStream,
): Promise<Vars> {
  const vars = new Map<string, string>();
  const add = (flag: string, [name, text]: [string, string]): void => {
    if (vars.has(name)) throw new UsageError(`${flag} ${JSON.stringify(name)} is given twice`);
    vars.set(name, text);
  };
  for (const pair of pairs) add('--var', split('--var', pair));
  let stdinTaken = false;
  for (const pair of files) {
    const [name, file] = split('--var-file', pair);
    if (file === '-' && stdinTaken) throw new UsageError('--var-file: stdin can be read only once');
    stdinTaken ||= file === '-';
    add('--var-file', [name, file === '-' ? await readStdin(stdin) : readText(file)]);
  }
  return Object.fromEntries(vars);
}

function split(flag: string, pair: string): [name: string, value: string] {
  const at = pair.indexOf('=');
  const name = pair.slice(0, Math.max(0, at));
  if (isPlainName(name)) return [name, pair.slice(at + 1)];
  throw new UsageError(
    `${flag} ${JSON.stringify(pair)} is not name=value: a name has letters, digits, _ and -`,
  );
}

async function readStdin(stdin: NodeJS.ReadStream): Promise<string> {
  if (stdin.isTTY) throw new UsageError('--var-file: stdin is a terminal: pipe the text into it');
  return (await readAll(stdin)).toString('utf8');
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--var-file ${JSON.stringify(file)} cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
