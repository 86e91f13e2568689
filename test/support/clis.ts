import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Surroundings } from './environment.ts';
import { fakeShell, quote } from './fake.ts';

/** How a fake of an installed CLI answers questions about itself. */
export interface Answers {
  signedIn?: boolean;
}

/** A claude that only answers what `discover` and `doctor` ask. Returns the questions that it was asked, sorted. */
export function fakeClaude(where: Surroundings, { signedIn = true }: Answers = {}): () => string[] {
  const status = JSON.stringify({ loggedIn: signedIn, authMethod: signedIn ? 'api_key' : 'none' });
  return answering(where, 'claude', {
    '--version': `echo '2.1.332 (Claude Code)'`,
    'auth status --json': `echo ${quote(status)}; exit ${signedIn ? 0 : 1}`,
  });
}

/** The same for codex, which tells of its login on stderr. */
export function fakeCodex(where: Surroundings, { signedIn = true }: Answers = {}): () => string[] {
  const models = JSON.stringify({
    models: [{ slug: 'gpt-a' }, { slug: 'gpt-b', visibility: 'list' }, { slug: 'gpt-c', visibility: 'hide' }],
  });
  return answering(where, 'codex', {
    '--version': `echo 'codex-cli 0.171.0'`,
    'login status': signedIn ? 'echo Logged in using ChatGPT >&2' : 'echo Not logged in >&2; exit 1',
    'debug models --bundled': `echo 'WARNING: something' >&2; echo ${quote(models)}`,
    'sandbox -- true': 'true',
  });
}

/** What claude's sandbox is made of, so that a test does not depend on the machine. */
export function fakeSandbox(where: Surroundings): void {
  fakeShell(where, 'exit 0', { name: 'bwrap', version: null });
  fakeShell(where, 'exit 0', { name: 'socat', version: null });
}

/** Nothing of the machine itself is on PATH, but node and git. */
export function alone(where: Surroundings): Surroundings {
  where.env['PATH'] = `${where.bin}:${join(where.root, 'tools')}`;
  return where;
}

/** A CLI that reads stdin to its end first, writes down each question, and knows no other answers. */
function answering(
  where: Surroundings,
  name: string,
  answers: { [question: string]: string },
): () => string[] {
  const log = join(where.root, `${name}.asked`);
  const cases = Object.entries(answers).map(([question, answer]) => `${quote(question)}) ${answer};;`);
  fakeShell(
    where,
    `while read -r line; do :; done; echo "$*" >>${quote(log)}; case "$*" in ${cases.join(' ')} *) echo "what is $*?" >&2; exit 64;; esac`,
    { name, version: null },
  );
  return () => readFileSync(log, 'utf8').trimEnd().split('\n').sort();
}
