import {
  type Answers,
  modelChoice,
  type Pace,
  PACES,
  type ProposalCli,
  proposeLanes,
  workerOf,
} from '../lanes/propose.ts';
import type { Io } from './io.ts';
import { dialsText } from './lanes-text.ts';
import { type Choice, choose } from './questions.ts';
import { visible } from './summary.ts';

/**
 * Asks at most four things, and only those where there is something to choose: who does the work, who reviews it, at
 * what pace, with which model. Nothing at all for those who take the defaults. Rejects with Cancelled.
 */
export async function interview(clis: readonly ProposalCli[], io: Io, signal: AbortSignal): Promise<Answers> {
  const ask = <Value>(question: string, choices: readonly Choice<Value>[]): Promise<Value> =>
    choose(io, question, choices, signal);
  const quick = await ask('which lanes?', [
    { value: true, label: 'the defaults', hint: defaultsIn(clis) },
    { value: false, label: 'let me answer up to four questions' },
  ]);
  if (quick) return {};
  const worker = clis.length > 1 ? await ask('who does the work?', clis.map(choiceOf)) : undefined;
  const picked: Answers = worker === undefined ? {} : { worker };
  const reviewer = await ask('who reviews it?', reviewers(clis, picked));
  const pace = await ask('at what pace?', paces(clis, picked));
  const answers: Answers = { ...picked, reviewer, pace };
  const models = modelChoice(clis, answers);
  if (!models) return answers;
  const model = await ask(`which model of ${models.of}?`, [
    { value: null, label: 'its own choice' },
    ...models.models.map((name) => ({ value: { of: models.of, name }, label: name })),
  ]);
  return { ...answers, model };
}

function defaultsIn(clis: readonly ProposalCli[]): string {
  return proposeLanes(clis)
    .map(({ name, implementer }) => `${name}: ${implementer}`)
    .join(', ');
}

function choiceOf({ key, version, authenticated }: ProposalCli): Choice<string> {
  const standing =
    authenticated === false ? 'not signed in' : authenticated ? 'signed in' : 'sign-in unknown';
  return {
    value: key,
    label: key,
    hint: visible([version, standing].filter((part) => part !== null).join(', ')),
  };
}

/** Rather another one than the one that did it: it has other blind spots. */
function reviewers(clis: readonly ProposalCli[], answers: Answers): Choice<string | null>[] {
  const worker = workerOf(clis, answers);
  const able = clis.filter(({ supports }) => supports.includes('readOnly'));
  const ordered = [...able.filter((cli) => cli !== worker), ...able.filter((cli) => cli === worker)];
  return [...ordered.map(choiceOf), { value: null, label: 'nobody', hint: 'no lane for reviews' }];
}

const PACE_NAMES: { readonly [pace in Pace]: string } = {
  even: 'even',
  quick: 'quick: less effort, shorter limits',
  careful: 'careful: more effort, longer limits',
};

function paces(clis: readonly ProposalCli[], answers: Answers): Choice<Pace>[] {
  const ordered = [...PACES].sort((one, other) => Number(other === 'even') - Number(one === 'even'));
  return ordered.map((pace) => {
    const dials = proposeLanes(clis, { ...answers, reviewer: null, pace }).map(
      (lane) => `${lane.name}: ${dialsText(lane.dials)}`,
    );
    return { value: pace, label: PACE_NAMES[pace], hint: dials.join('; ') };
  });
}
