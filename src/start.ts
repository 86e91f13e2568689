import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

interface Module {
  exports: unknown;
}

type Require = (id: string) => unknown;
type Body = (
  this: unknown,
  exports: unknown,
  require: Require,
  module: Module,
  file: string,
  dir: string,
) => void;

/**
 * Loads the bundle at `entry`, and those beside it that it requires, with the code that V8 made of them in an earlier
 * process: a large part of what a start costs is reading JavaScript. What is not kept yet, or was kept by another
 * version of Node, is compiled as ever. `builtin` gives Node's own modules.
 *
 * It is kept beside the bundles and nowhere else: compiled code is code, and who can write there can write the bundles
 * themselves. Where nothing can be written, nothing is kept.
 */
export function start(entry: string, builtin: Require): void {
  const folder = dirname(entry);
  const store = join(folder, 'compiled', `${process.version}-${process.arch}`);
  const loaded = new Map<string, Module>();
  const fresh: { script: Script; path: string }[] = [];
  const disabled = process.env['NODE_DISABLE_COMPILE_CACHE'] !== undefined;

  // At the end, when what was called is compiled too.
  if (!disabled) process.once('exit', () => keep(store, fresh));
  load(basename(entry));

  function load(name: string): unknown {
    const known = loaded.get(name);
    if (known) return known.exports;
    const module: Module = { exports: {} };
    loaded.set(name, module);
    const require: Require = (id) => (id.startsWith('./') ? load(id.slice(2)) : builtin(id));
    compile(name).call(module.exports, module.exports, require, module, join(folder, name), folder);
    return module.exports;
  }

  function compile(name: string): Body {
    const filename = join(folder, name);
    // V8 looks at the length of a source, not at its text. The times are read first: a bundle that is replaced between
    // the two must not leave its old code under the new one's name.
    const { size, mtimeMs } = statSync(filename);
    const source = readFileSync(filename, 'utf8');
    const path = join(store, `${name}.${size}.${mtimeMs}`);
    const cachedData = disabled ? undefined : readKept(path);
    const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
      filename,
      ...(cachedData && { cachedData }),
    });
    if (!cachedData || script.cachedDataRejected) fresh.push({ script, path });
    const body: Body = script.runInThisContext();
    return body;
  }
}

const SUM_BYTES = 4;

/** What was kept, without its checksum. V8 trusts what it is given: one flipped bit would crash the start for good. */
function readKept(path: string): Buffer | undefined {
  try {
    const bytes = readFileSync(path);
    const code = bytes.subarray(SUM_BYTES);
    return bytes.readUInt32BE(0) === crc32(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

function withSum(code: Buffer): Buffer {
  const sum = Buffer.alloc(SUM_BYTES);
  sum.writeUInt32BE(crc32(code));
  return Buffer.concat([sum, code]);
}

function keep(store: string, fresh: readonly { script: Script; path: string }[]): void {
  if (fresh.length === 0) return;
  try {
    mkdirSync(store, { recursive: true });
    for (const { script, path } of fresh) {
      const temporary = `${path}.${process.pid}.tmp`;
      writeFileSync(temporary, withSum(script.createCachedData()), { flush: true });
      renameSync(temporary, path);
    }
  } catch {
    // Installed where this user may not write: each start compiles anew.
  }
}
