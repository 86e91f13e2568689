import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KeptAnswers } from '../../src/generate/kept-answers.ts';
import { type Answer, interview, type Question } from '../../src/generate/question.ts';
import { textSource } from '../../src/prompts/source.ts';
import { type Surroundings, surroundings } from '../support/environment.ts';
import { fakeNode, fakeShell } from '../support/fake.ts';

const SOURCE = textSource('here', new Map([['ask.md', 'ASK {{what}}']]));

function question(what: string, vars = { what }): Question {
  return { name: `skill ${what}`, prompt: 'ask', vars, file: `.claude/skills/${what}/SKILL.md`, skill: what };
}

async function ask(
  where: Surroundings,
  questions: readonly Question[],
  onAnswer: (answer: Answer) => Promise<void> = async () => {},
): Promise<{ answers: Answer[]; told: string[]; kept: KeptAnswers }> {
  const kept = new KeptAnswers(where.env);
  const told: string[] = [];
  const asking = { implementer: 'claude', cwd: where.home, env: where.env };
  const answers = await interview(questions, {
    asking,
    sources: [SOURCE],
    answers: kept,
    onAnswer: async (answer) => {
      told.push(answer.question.name);
      await onAnswer(answer);
    },
  });
  return { answers, told, kept };
}

/** A claude that writes its file only after `wait` others have begun, and counts how many ran at once. */
function fakeCounting(where: Surroundings): void {
  const begun = join(where.root, 'begun');
  mkdirSync(begun);
  fakeNode(
    where,
    `const fs = require('node:fs');
const what = /ASK (\\w+)/.exec(fs.readFileSync(0, 'utf8'))[1];
const mine = ${JSON.stringify(begun)} + '/' + what;
fs.writeFileSync(mine, '');
const end = () => {
  const path = '.claude/skills/' + what + '/SKILL.md';
  const files = [{ path, content: 'text of ' + what }];
  console.log(JSON.stringify({ type: 'result', subtype: 'success', is_error: false, session_id: 'S', result: 'x', structured_output: { files } }));
};
const look = () => (fs.readdirSync(${JSON.stringify(begun)}).length >= 3 ? end() : setTimeout(look, 10));
look();`,
  );
}

describe('questions', () => {
  it('are put three at a time, and answered in their order', async () => {
    const where = surroundings();
    // Each of the first three waits for the other two: one after the other they would never end.
    fakeCounting(where);
    const names = ['a', 'b', 'c', 'd', 'e'];
    const { answers, told } = await ask(
      where,
      names.map((name) => question(name)),
    );
    expect(answers.map(({ file }) => file?.content)).toEqual(names.map((name) => `text of ${name}`));
    expect([...told].sort()).toEqual(names.map((name) => `skill ${name}`));
  });

  it('are not put at all where one of them lacks a value', async () => {
    const where = surroundings();
    const started = join(where.root, 'started');
    fakeShell(where, `touch '${started}'`, { version: null });
    await expect(ask(where, [question('a'), { ...question('b'), vars: {} }])).rejects.toThrow(
      '{{what}} has no value',
    );
    expect(existsSync(started)).toBe(false);
  });

  it('are put no more once one failed for all of them', async () => {
    const { answers } = await ask(
      surroundings(),
      ['a', 'b', 'c', 'd', 'e'].map((name) => question(name)),
    );
    expect(answers.map(({ failure }) => failure?.exitCode ?? null)).toEqual([127, 127, 127, null, null]);
    expect(answers[4]?.problems).toEqual([expect.stringContaining('it was not asked for')]);
  });

  it('that are under way are waited for where something breaks, and their answers kept', async () => {
    const where = surroundings();
    fakeCounting(where);
    const broken = ask(
      where,
      ['a', 'b', 'c', 'd'].map((name) => question(name)),
      async () => {
        throw new Error('the disk is full');
      },
    );
    await expect(broken).rejects.toThrow('the disk is full');
    const [folder = ''] = readdirSync(join(where.state, 'answers'));
    expect(readdirSync(join(where.state, 'answers', folder)).sort()).toEqual([
      'skill-a.txt',
      'skill-b.txt',
      'skill-c.txt',
    ]);
  });

  it('have their answers kept as they came, for this user alone', async () => {
    const where = surroundings();
    fakeNode(
      where,
      `console.log(JSON.stringify({ type: 'result', subtype: 'success', is_error: false, session_id: 'S', result: 'Just words.' }));`,
    );
    const { answers, kept } = await ask(where, [question('a')]);
    expect(answers[0]).toMatchObject({
      file: null,
      raw: join(kept.folder, 'skill-a.txt'),
      problems: [expect.any(String)],
    });
    expect(readFileSync(join(kept.folder, 'skill-a.txt'), 'utf8')).toBe('Just words.');
    kept.remove();
    expect(readdirSync(join(where.state, 'answers'))).toEqual([]);
  });
});

describe('the folder of answers', () => {
  it('goes where nothing was kept, and stays where something was', () => {
    const { env, state } = surroundings();
    expect(new KeptAnswers(env).close()).toBe(false);
    expect(readdirSync(join(state, 'answers'))).toEqual([]);
    const kept = new KeptAnswers(env);
    kept.keep('a', 'x');
    expect(kept.close()).toBe(true);
  });

  it('keeps two answers of one name', () => {
    const kept = new KeptAnswers(surroundings().env);
    const files = [kept.keep('skill-a-b', 'one'), kept.keep('skill-a-b', 'other')];
    expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(['one', 'other']);
  });

  it('that cannot be made is refused before anything is asked', () => {
    const { env, root } = surroundings();
    writeFileSync(join(root, 'file'), '');
    expect(() => new KeptAnswers({ ...env, BATON_HOME: join(root, 'file') })).toThrow(/cannot be made/);
  });
});
