import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { parseDuration } from '../core/duration.ts';
import { BatonError } from '../core/errors.ts';
import { configSchema } from './config-schema.ts';
import { DEFAULT_TIMEOUT_MS, type Gate } from './gate.ts';

/** The files that may hold the configuration, the first that does counts. Both lie at the top of the repository. */
export const CONFIG_FILE = 'baton.config.json';
export const PACKAGE_FILE = 'package.json';

/**
 * The gates that a configuration file asks for; null for a `package.json` that has no field `baton`.
 * Throws a BatonError `gate-config` that names the file, the field and the rule.
 */
export function parseConfig(path: string, bytes: Uint8Array): Gate[] | null {
  const isPackage = path === PACKAGE_FILE;
  const errors: ParseError[] = [];
  const text = new TextDecoder('utf-8').decode(bytes);
  // A manifest may be a template, or broken: as long as it does not speak of us, that is none of our business.
  if (isPackage && !text.includes('"baton"')) return null;
  const tree = parseTree(text, errors, { disallowComments: isPackage, allowTrailingComma: !isPackage });
  const [error] = errors;
  if (error || !tree) {
    const where = text.slice(0, error?.offset ?? 0).split('\n').length;
    throw broken(path, `line ${where}: ${error ? printParseErrorCode(error.error) : 'it is empty'}`);
  }
  const node = isPackage ? ownField(tree, 'baton') : tree;
  if (node === null) return null;
  const parsed = configSchema.safeParse(valueOf(path, node));
  const issue = parsed.error?.issues[0];
  if (issue)
    throw broken(
      path,
      `${[...(isPackage ? ['baton'] : []), ...issue.path].join('.') || 'top'}: ${issue.message}`,
    );
  const gates = (parsed.data?.gates ?? []).map(
    ({ name, command, cwd = '.', timeout, env = {}, when = [] }): Gate => ({
      name,
      command,
      cwd,
      timeoutMs: timeout === undefined ? DEFAULT_TIMEOUT_MS : parseDuration(timeout, 'timeout'),
      env,
      when,
      source: 'config',
    }),
  );
  const twice = gates.find(({ name }, at) => gates.findIndex((gate) => gate.name === name) !== at);
  if (twice) throw broken(path, `two gates have the name ${JSON.stringify(twice.name)}`);
  return gates;
}

/** Only what stands in the file: the parser's own objects would take `__proto__` for where to inherit from. */
function valueOf(path: string, node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map((item) => valueOf(path, item));
  if (node.type !== 'object') return node.value;
  const fields = new Map<string, unknown>();
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    const name = String(key?.value);
    if (name === '__proto__') throw broken(path, 'a field may not be named __proto__');
    if (fields.has(name)) throw broken(path, `the field ${JSON.stringify(name)} stands there twice`);
    if (value) fields.set(name, valueOf(path, value));
  }
  return Object.fromEntries(fields);
}

/** The last one of that name, as in any reader of JSON. */
function ownField(node: Node, name: string): Node | null {
  const found = (node.children ?? []).findLast((property) => property.children?.[0]?.value === name);
  return (node.type === 'object' && found?.children?.[1]) || null;
}

function broken(path: string, why: string): BatonError {
  return new BatonError('gate-config', `${path} cannot be used: ${why}`, {
    hint: 'docs/contracts/gates.md says what may stand there',
  });
}
