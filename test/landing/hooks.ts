import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRepository } from '../support/repository.ts';

/** Gives a repository a hook in `/bin/sh`. */
export function addHook({ dir }: TestRepository, name: string, body: string): void {
  const folder = join(dir, '.git', 'hooks');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`);
  chmodSync(join(folder, name), 0o755);
}
