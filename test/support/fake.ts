import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Surroundings } from './environment.ts';
import { PROJECT } from './project.ts';

/** What every fake answers to `--version`, unless the test says otherwise. */
export const FAKE_VERSION = '2.1.332 (Claude Code)';

export interface FakeOptions {
  /** The command's name on PATH. */
  name?: string;
  /** The answer to `--version`; null leaves that to the fake's own code. */
  version?: string | null;
}

/** Puts a `/bin/sh` script on PATH as an agent CLI: the cheapest fake there is. Returns its path. */
export function fakeShell(where: Surroundings, body: string, options: FakeOptions = {}): string {
  const version = options.version === undefined ? FAKE_VERSION : options.version;
  const answer = version === null ? '' : `if [ "$1" = --version ]; then echo ${quote(version)}; exit 0; fi\n`;
  return executable(where, options, `#!/bin/sh\n${answer}${body}\n`);
}

/** A shell fake that reads its brief, prints these lines and exits. */
export function fakeSaying(
  where: Surroundings,
  lines: readonly string[],
  options: FakeOptions & { exit?: number } = {},
): string {
  const print = lines.map((line) => `printf '%s\\n' ${quote(line)}`).join('\n');
  return fakeShell(where, `cat >/dev/null\n${print}\nexit ${options.exit ?? 0}`, options);
}

/** Puts a Node program on PATH as an agent CLI. The code is a CommonJS module. */
export function fakeNode(where: Surroundings, code: string, options: FakeOptions = {}): string {
  const version = options.version === undefined ? FAKE_VERSION : options.version;
  const answer =
    version === null
      ? ''
      : `if (process.argv[2] === '--version') { console.log(${JSON.stringify(version)}); process.exit(0); }\n`;
  return executable(where, options, `#!${process.execPath}\n${answer}${code}\n`);
}

/** Puts the scripted implementer on PATH under an agent CLI's name, playing this YAML script. Await `ensureBuilt` first. */
export function fakeScripted(where: Surroundings, yaml: string, options: FakeOptions = {}): string {
  const script = join(where.root, `${options.name ?? 'claude'}.script.yaml`);
  writeFileSync(script, yaml);
  const program = join(PROJECT, 'bin', 'baton-scripted.js');
  return executable(
    where,
    options,
    `#!/bin/sh\nBATON_SCRIPT=${quote(script)} exec ${quote(process.execPath)} ${quote(program)} "$@"\n`,
  );
}

function executable(where: Surroundings, options: FakeOptions, content: string): string {
  const file = join(where.bin, options.name ?? 'claude');
  writeFileSync(file, content);
  chmodSync(file, 0o755);
  return file;
}

/** A word of the shell that stands for exactly this text. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
