import { loadPromptFrom } from '../prompts/load.ts';
import type { Vars } from '../prompts/expand.ts';
import type { PromptSource } from '../prompts/source.ts';
import type { CostBlock } from '../rundir/result.ts';
import { TextRunError, type TextFailure } from '../running/text-error.ts';
import { askForFiles, type Asking } from './ask-for-files.ts';
import type { FileBlock } from '../answers/file-block.ts';
import type { KeptAnswers } from './kept-answers.ts';
import { getAllowedPaths } from '../targets/sanitize-path.ts';

/** One file that an implementer is asked for. */
export interface Question {
  /** For people: `instructions`, `skill billing`. Each name once. */
  name: string;
  prompt: string;
  vars: Vars;
  /** The file; every other is thrown away. */
  file: string;
  /** The skill that it is; null for instructions. */
  skill: string | null;
}

/** What came of a question. */
export interface Answer {
  question: Question;
  /** Null where there is none that can be used. */
  file: FileBlock | null;
  /** What is wrong with the answer, for a person. */
  problems: string[];
  /** Where the answer lies as it came; null where there was none. */
  raw: string | null;
  /** Why there is no answer at all; null where there is one. */
  failure: (TextFailure & { message: string }) | null;
  usage: CostBlock | null;
}

export interface Interview {
  asking: Asking;
  sources: readonly PromptSource[];
  answers: KeptAnswers;
  onAnswer: (answer: Answer) => Promise<void>;
}

/** More at once would hit the limits of a service sooner than it would save time. */
const AT_ONCE = 3;

/**
 * Puts the questions, three at a time. One that fails is an answer with a `failure`; one that would fail for all of them
 * (no executable, no account, an interrupt) keeps the rest from being asked. Answers are in the order of the questions.
 */
export async function interview(questions: readonly Question[], how: Interview): Promise<Answer[]> {
  const answers = new Map<Question, Answer>();
  const left = [...questions];
  // All prompts first: a missing value is found before anything is paid for.
  const texts = new Map(questions.map((one) => [one, loadPromptFrom(how.sources, one.prompt, one.vars)]));
  let stopped = false;
  const askOn = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined && !stopped; next = left.shift()) {
      try {
        const answer = await put(next, texts.get(next) ?? '', how);
        answers.set(next, answer);
        stopped ||= answer.failure !== null && failsForAll(answer.failure);
        await how.onAnswer(answer);
      } catch (error) {
        stopped = true;
        throw error;
      }
    }
  };
  // What the others ask meanwhile is paid for: it is waited for, and kept.
  const all = await Promise.allSettled(Array.from({ length: AT_ONCE }, askOn));
  for (const one of all) if (one.status === 'rejected') throw one.reason;
  return questions.map((one) => answers.get(one) ?? unasked(one));
}

async function put(question: Question, text: string, { asking, answers }: Interview): Promise<Answer> {
  const { name, file } = question;
  try {
    const { output, raw, usage } = await askForFiles(text, asking, getAllowedPaths(['claude', 'codex']));
    const found = output.files.find(({ path }) => path === file) ?? null;
    const problems = [
      ...output.problems.map(({ line, path, message }) =>
        [line === null ? null : `line ${line}`, path, message]
          .filter((part) => part !== null && part !== undefined)
          .join(': '),
      ),
      ...output.rejected.map(({ path, reason }) => `${path}: ${reason}`),
      ...output.files.filter(({ path }) => path !== file).map(({ path }) => `${path}: nobody asked for it`),
      ...(output.usedFallback
        ? ['the answer has no <file>, its comments were taken for the names of files']
        : []),
    ];
    return { question, file: found, problems, raw: answers.keep(fileName(name), raw), failure: null, usage };
  } catch (error) {
    if (!(error instanceof TextRunError)) throw error;
    const { failure, message } = error;
    const raw = failure.text === '' ? null : answers.keep(fileName(name), failure.text);
    return {
      question,
      file: null,
      problems: [],
      raw,
      failure: { ...failure, message },
      usage: failure.usage,
    };
  }
}

function failsForAll({ status, reason }: TextFailure): boolean {
  const lasting = ['usage-limit', 'auth', 'budget', 'sandbox-unavailable'];
  return status === 'aborted' || status.endsWith('_unavailable') || lasting.includes(reason ?? '');
}

function unasked(question: Question): Answer {
  const problems = [
    'it was not asked for, since another question failed in a way that would have met this one too',
  ];
  return { question, file: null, problems, raw: null, failure: null, usage: null };
}

function fileName(name: string): string {
  // A folder of skills may be called anything.
  return name.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 100);
}
