import { isObject, type JsonObject, objectOf, stringOf } from '../../core/json.ts';
import { kindOf, type Proposal, type ReadText } from './proposal.ts';

/** What `npm init` writes: a test that always fails. */
const NO_TEST = /no test specified/;

const LOCKS: readonly [file: string, manager: string][] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
];

export function fromPackageScripts(read: ReadText): Proposal[] {
  const manifest = parse(read('package.json'));
  if (!manifest) return [];
  const manager = managerOf(manifest, read);
  return Object.entries(objectOf(manifest['scripts'])).flatMap(([script, text]) => {
    const name = kindOf(script);
    if (name === null || typeof text !== 'string' || NO_TEST.test(text)) return [];
    const command = script === 'test' && manager !== 'bun' ? `${manager} test` : `${manager} run ${script}`;
    return [{ name, command, from: `package.json scripts.${script}` }];
  });
}

function managerOf(manifest: JsonObject, read: ReadText): string {
  const named = /^(npm|pnpm|yarn|bun)@/.exec(stringOf(manifest['packageManager']) ?? '')?.[1];
  return named ?? LOCKS.find(([file]) => read(file) !== null)?.[1] ?? 'npm';
}

function parse(text: string | null): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
