import { MODEL_FORM } from '../implementers/dial-forms.ts';
import type { Discovery, FoundCli } from './discover/discover.ts';
import { type Binding, DIAL_NAMES, type DialName, type Dials } from './lane.ts';

/** A CLI that lanes can be made for. */
export type ProposalCli = Pick<FoundCli, 'key' | 'version' | 'authenticated' | 'supports' | 'models'>;

/** What a person said; what is left out is baton's to choose. */
export interface Answers {
  /** The key of the CLI that does the work. */
  worker?: string;
  /** The key of the CLI that reviews it; null for no such lane. */
  reviewer?: string | null;
  pace?: Pace;
  /** For all lanes of the CLI `of`; null leaves it to that CLI. */
  model?: { of: string; name: string } | null;
}

/** How much a run may think, and for how long. */
export const PACES = ['quick', 'even', 'careful'] as const;

export type Pace = (typeof PACES)[number];

/** A lane that could be written, and where each of its values comes from. */
export interface ProposedLane extends Binding {
  name: string;
  values: readonly ProposedValue[];
}

export interface ProposedValue {
  field: 'implementer' | DialName;
  origin: Origin;
  /** In a few words. */
  why: string;
}

export type Origin = 'default' | 'discovered' | 'answer';

/** The CLIs that baton starts and that work, those that are signed in first. */
export function proposalClis({ discovered }: Pick<Discovery, 'discovered'>): ProposalCli[] {
  const rank = ({ authenticated }: ProposalCli): number => [true, null, false].indexOf(authenticated);
  return discovered
    .filter(({ driven, state }) => driven && state === 'ready')
    .sort((one, other) => rank(one) - rank(other));
}

/** A few lanes, one for each kind of work, for the CLIs that are there; none where there are none. Pure. */
export function proposeLanes(clis: readonly ProposalCli[], answers: Answers = {}): ProposedLane[] {
  const worker = workerOf(clis, answers);
  if (!worker) return [];
  const reviewer = reviewerOf(clis, answers);
  const lanes = [lane('mechanical', worker, answers), lane('hard', worker, answers)];
  return reviewer ? [...lanes, lane('review', reviewer, answers)] : lanes;
}

/** The CLI that would do the work. */
export function workerOf(clis: readonly ProposalCli[], { worker }: Answers): ProposalCli | undefined {
  return clis.find(({ key }) => key === worker) ?? clis[0];
}

/** The CLI that would review it: rather another one than the one that did it, if that one can be used at once. */
function reviewerOf(clis: readonly ProposalCli[], answers: Answers): ProposalCli | undefined {
  if (answers.reviewer === null) return undefined;
  const able = clis.filter(({ supports }) => supports.includes('readOnly'));
  const worker = workerOf(clis, answers);
  return (
    able.find(({ key }) => key === answers.reviewer) ??
    able.find((cli) => cli !== worker && cli.authenticated !== false) ??
    able.find((cli) => cli === worker)
  );
}

/** Whose model can be chosen: the CLI says itself which it has. Undefined where no CLI of these lanes does. */
export function modelChoice(
  clis: readonly ProposalCli[],
  answers: Answers,
): { of: string; models: string[] } | undefined {
  return [workerOf(clis, answers), reviewerOf(clis, answers)]
    .filter((cli) => cli !== undefined)
    .map((cli) => ({ of: cli.key, models: modelsOf(cli) }))
    .find(({ models }) => models.length > 0);
}

/** Those that a lane can name. */
function modelsOf({ models, supports }: ProposalCli): string[] {
  return models.status === 'reported' && supports.includes('model')
    ? models.values.filter((name) => MODEL_FORM.test(name))
    : [];
}

type LaneName = 'mechanical' | 'hard' | 'review';

/** Words that both CLIs know. `even` is the default: what is mechanical should be cheap, what is hard should be done. */
const BY_PACE: {
  readonly [pace in Pace]: { readonly [name in LaneName]: Required<Pick<Dials, 'effort' | 'timeout'>> };
} = {
  quick: {
    mechanical: { effort: 'low', timeout: '10m' },
    hard: { effort: 'medium', timeout: '45m' },
    review: { effort: 'low', timeout: '15m' },
  },
  even: {
    mechanical: { effort: 'low', timeout: '20m' },
    hard: { effort: 'high', timeout: '2h' },
    review: { effort: 'medium', timeout: '30m' },
  },
  careful: {
    mechanical: { effort: 'medium', timeout: '45m' },
    hard: { effort: 'high', timeout: '4h' },
    review: { effort: 'high', timeout: '1h' },
  },
};

function lane(name: LaneName, cli: ProposalCli, answers: Answers): ProposedLane {
  const pace = answers.pace ?? 'even';
  const model =
    answers.model?.of === cli.key && modelsOf(cli).includes(answers.model.name)
      ? answers.model.name
      : undefined;
  const wished: Dials = {
    ...(model === undefined ? {} : { model }),
    ...BY_PACE[pace][name],
    ...(name === 'review' ? { readOnly: true } : {}),
  };
  const origins: { [dial in DialName]?: Omit<ProposedValue, 'field'> } = {
    model: { origin: 'answer', why: `one of those that ${cli.key} says it has` },
    effort: byPace(answers),
    timeout: byPace(answers),
    readOnly: { origin: 'default', why: 'a review changes nothing' },
  };
  const dials: Dials = {};
  const values: ProposedValue[] = [{ field: 'implementer', ...choiceOf(name, cli, answers) }];
  for (const dial of DIAL_NAMES) {
    const origin = origins[dial];
    if (wished[dial] === undefined || origin === undefined || !cli.supports.includes(dial)) continue;
    Object.assign(dials, { [dial]: wished[dial] });
    values.push({ field: dial, ...origin });
  }
  return { name, implementer: cli.key, dials, values };
}

function byPace({ pace }: Answers): Omit<ProposedValue, 'field'> {
  return pace === undefined ? { origin: 'default', why: '' } : { origin: 'answer', why: `${pace} pace` };
}

function choiceOf(
  name: LaneName,
  { key, version, authenticated }: ProposalCli,
  { worker, reviewer }: Answers,
): Omit<ProposedValue, 'field'> {
  const standing = { true: 'signed in', false: 'not signed in', null: 'sign-in unknown' }[`${authenticated}`];
  const why = [version, standing].filter((part) => part !== null).join(', ');
  return { origin: (name === 'review' ? reviewer : worker) === key ? 'answer' : 'discovered', why };
}
