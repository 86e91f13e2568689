import type { Env } from '../core/environment.ts';
import { BatonError } from '../core/errors.ts';
import type { Repository } from '../git/repository.ts';
import { firstLine, trustedGit } from '../git/trusted.ts';

/** The contents of objects by id; one that is not there is absent. */
export type Contents = ReadonlyMap<string, Buffer>;

export interface ContentsRequest {
  repository: Repository;
  /** The run's own store: it holds both sides of every change, also after a `gc` of the user's. */
  objects: string;
  env: Env;
  /** Larger objects are left out. */
  maxBytes: number;
}

const TIMEOUT_MS = 60_000;

/** Reads objects with one `git cat-file --batch`: bytes as they are stored, no filter and no program of the tree's. */
export async function readContents(oids: Iterable<string>, request: ContentsRequest): Promise<Contents> {
  const wanted = [...new Set(oids)];
  if (wanted.length === 0) return new Map();
  // Sizes first, so that a huge object is not even read.
  const sizes = (await catFile('--batch-check', wanted, request)).toString('latin1').trimEnd().split('\n');
  const small = sizes.flatMap((line) => {
    const [oid = '', type, size] = line.split(' ');
    return type === 'blob' && Number(size) <= request.maxBytes ? [oid] : [];
  });
  return small.length === 0 ? new Map() : parseBatch(await catFile('--batch', small, request));
}

async function catFile(mode: string, oids: readonly string[], request: ContentsRequest): Promise<Buffer> {
  const answer = await trustedGit(request.repository, ['cat-file', mode], {
    env: request.env,
    timeoutMs: TIMEOUT_MS,
    input: Buffer.from(oids.map((oid) => `${oid}\n`).join('')),
    extraEnv: { GIT_OBJECT_DIRECTORY: request.objects },
  });
  if (answer.code !== 0)
    throw new BatonError('git-objects', `the objects of the run cannot be read: ${firstLine(answer.stderr)}`);
  return answer.stdout;
}

/** Parses the output of `git cat-file --batch`. */
export function parseBatch(output: Buffer): Contents {
  const contents = new Map<string, Buffer>();
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0x0a, at);
    if (end < 0) break;
    const [oid = '', kind = '', size] = output.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (kind === 'missing' || size === undefined) continue;
    contents.set(oid, output.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return contents;
}
