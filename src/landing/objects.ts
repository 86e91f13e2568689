import { plainGit } from './target.ts';
import { succeed } from './trees.ts';
import type { Workshop } from './workshop.ts';

/** Copies a tree and all in it that `known` lacks into the repository's own store: it outlives the run. */
export async function keepTree(workshop: Workshop, tree: string, known: string): Promise<void> {
  await keep(workshop, ['--revs'], `${tree}\n^${known}\n`);
}

export async function keepBlobs(workshop: Workshop, oids: readonly string[]): Promise<void> {
  if (oids.length > 0) await keep(workshop, [], oids.map((oid) => `${oid}\n`).join(''));
}

async function keep(workshop: Workshop, flags: readonly string[], input: string): Promise<void> {
  const packing = workshop.git(['pack-objects', '-q', '--stdout', ...flags], { input: Buffer.from(input) });
  const { stdout } = await succeed(packing, 'pack-objects');
  await succeed(plainGit(workshop)(['unpack-objects', '-q'], { input: stdout }), 'unpack-objects');
}
