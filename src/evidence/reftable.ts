import type { GitOutput } from '../git/trusted.ts';
import type { ReflogState } from './reflogs.ts';
import type { Head, RefsState } from './refs.ts';

/** Refs, HEAD and reflogs of a repository that keeps them in tables, in the shape of plain reads. */
interface ListedRefs {
  refs: RefsState;
  head: Head;
  reflogs: { head: ReflogState; stash: ReflogState };
}

export type AskGit = (args: readonly string[]) => Promise<GitOutput>;

const NEWEST = '1000';

/** Asks git for what no plain read can tell. Throws where git gives no answer. */
export async function readReftable(ask: AskGit): Promise<ListedRefs> {
  const refs = {
    loose: parseRefList(
      (await answered(ask, ['for-each-ref', '--format=%(refname) %(objectname) %(symref)'])).stdout,
    ),
    packed: Buffer.alloc(0),
    complete: true,
  };
  // Both exit with 1 where there is nothing to name: HEAD is detached, or the branch is unborn.
  const symbolic = await ask(['symbolic-ref', '-q', 'HEAD']);
  const commit = await ask(['rev-parse', '-q', '--verify', 'HEAD']);
  const head = { symbolic: lineOf(symbolic), commit: lineOf(commit) };
  return {
    refs,
    head,
    reflogs: {
      head: head.commit === null ? noLog() : await readLog(ask, 'HEAD'),
      stash: refs.loose.has('refs/stash') ? await readLog(ask, 'refs/stash') : noLog(),
    },
  };
}

/** Lines of `<name> <object id> <target of a symbolic ref>`. */
function parseRefList(listing: Buffer): Map<string, string> {
  const refs = new Map<string, string>();
  for (const line of listing.toString('utf8').split('\n')) {
    const [name = '', id = '', target = ''] = line.split(' ');
    if (name !== '') refs.set(name, target === '' ? id : `ref: ${target}`);
  }
  return refs;
}

/** The newest entries as the lines of a reflog file. Without the flag a configured `gpg.program` would run. */
async function readLog(ask: AskGit, ref: string): Promise<ReflogState> {
  const { stdout } = await answered(ask, [
    'log',
    '-g',
    '--no-show-signature',
    `--max-count=${NEWEST}`,
    '--format=%H%x09%gs',
    ref,
    '--',
  ]);
  const lines = stdout.toString('utf8').split('\n').filter(Boolean).reverse();
  const tail = Buffer.from(
    lines.map((line) => `${'0'.repeat(line.indexOf('\t'))} ${line.replace('\t', ' git\t')}\n`).join(''),
  );
  return { size: tail.length, stamp: '', tail };
}

async function answered(ask: AskGit, args: readonly string[]): Promise<GitOutput> {
  const output = await ask(args);
  if (output.code !== 0) throw new Error(`git ${args[0] ?? ''} failed: ${output.stderr.trim()}`);
  return output;
}

function lineOf({ code, stdout }: GitOutput): string | null {
  return code === 0 ? stdout.toString('utf8').trim() : null;
}

function noLog(): ReflogState {
  return { size: 0, stamp: '', tail: Buffer.alloc(0) };
}
