import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runBaton } from '../support/baton.ts';
import { type Surroundings, surroundings } from '../support/environment.ts';
import { fakeNode } from '../support/fake.ts';
import { type Files, makeRepository, type TestRepository } from '../support/repository.ts';

/** A repository, and a fake claude that answers each question by what it asks for. */
export interface GeneratingWorld extends Surroundings {
  repository: TestRepository;
}

/** What the fake answers to the first question whose prompt holds the key; `error` ends it so. */
export interface Replies {
  /** `plain`: what is said where no schema was given. `hang`: no answer, for a minute. */
  [key: string]: { say?: string; plain?: string; structured?: object; exit?: number; hang?: true };
}

export const SHOP: Files = {
  'package.json': '{"name":"shop","scripts":{"test":"vitest run"}}',
  'README.md': '# Shop\n',
  'src/billing/pay.ts': 'export const pay = 1;\n',
  'src/billing/tax.ts': `import { pay } from './pay.ts';\n`,
  'src/cart/cart.ts': 'export const cart = 1;\n',
};

export function generatingWorld(replies: Replies, files: Files = SHOP): GeneratingWorld {
  const where = surroundings();
  const repository = makeRepository({ dir: join(where.root, 'repo'), files });
  writeFileSync(join(where.root, 'replies.json'), JSON.stringify(replies));
  fakeNode(
    where,
    `const fs = require('node:fs');
const replies = JSON.parse(fs.readFileSync(${JSON.stringify(join(where.root, 'replies.json'))}, 'utf8'));
const prompt = fs.readFileSync(0, 'utf8');
const schema = process.argv.includes('--json-schema');
const [key, reply] = Object.entries(replies).find(([key]) => prompt.includes(key)) ?? ['', { say: 'I do not know.' }];
fs.appendFileSync(${JSON.stringify(join(where.root, 'asked.jsonl'))}, JSON.stringify({ key, schema, prompt, cwd: process.cwd() }) + '\\n');
if (reply.exit) process.exit(reply.exit);
if (reply.hang) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
const value = schema && reply.structured ? { structured_output: reply.structured, result: JSON.stringify(reply.structured) } : { result: (schema ? undefined : reply.plain) ?? reply.say ?? '' };
console.log(JSON.stringify({ type: 'assistant', message: { id: 'm1', role: 'assistant', content: [{ type: 'text', text: value.result }] } }));
console.log(JSON.stringify({ type: 'result', subtype: 'success', is_error: false, session_id: 'S1', ...value }));`,
  );
  return { ...where, repository };
}

/** What the fake was asked, in order. */
export function asked({
  root,
}: GeneratingWorld): { key: string; schema: boolean; prompt: string; cwd: string }[] {
  const file = join(root, 'asked.jsonl');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return lines.map((line): ReturnType<typeof asked>[number] => JSON.parse(line));
}

/** Runs `baton skills …` in the repository. */
export function skills(world: GeneratingWorld, args: readonly string[]) {
  return runBaton(['skills', ...args, '--cd', world.repository.dir], { env: world.env, cwd: world.root });
}

/** A skill as an implementer would write it. */
export function skillText(name: string, { files = `src/${name}/**`, extra = '' } = {}): string {
  const triggers = JSON.stringify({ files: [files], keywords: [`${name} rule`], alwaysActivate: false });
  return `---
name: ${name}
description: "How ${name} works here. Use when changing ${name}."
metadata:
  triggers: ${JSON.stringify(triggers)}
---

# ${name}

What there is to know of this part, in a few sentences that say what a newcomer would get wrong.

## Key Concepts

- Amounts are whole cents, everywhere: only the printed invoice divides by a hundred.
- One payment belongs to one invoice, and an invoice is never changed once it was sent.

## Critical Rules

- Never round a single line: tax is rounded once, on the sum of all lines of an invoice.
- Call the provider through its client alone, since that is where a retry cannot pay twice.
${extra}`;
}

export function block(path: string, content: string): string {
  return `<file path="${path}">\n${content}</file>\n`;
}
