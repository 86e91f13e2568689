import type { Env } from '../core/environment.ts';
import { UsageError } from '../core/errors.ts';
import { locateRepository } from '../git/locate.ts';
import type { PromptSource } from '../prompts/source.ts';
import type { CostBlock } from '../rundir/result.ts';
import { checkDirectory } from '../running/checks.ts';
import { addCosts } from '../running/text-cost.ts';
import type { TextFailure } from '../running/text-error.ts';
import type { Target } from '../targets/target.ts';
import type { Asking } from './ask-for-files.ts';
import { commitOf, type History } from './changed-since.ts';
import type { FileBlock } from '../answers/file-block.ts';
import type { InstructionFiles } from './instruction-files.ts';
import { judgeAnswer, type JudgedAnswer } from './judge-answer.ts';
import { KeptAnswers } from './kept-answers.ts';
import { promptSources } from './prompt-sources.ts';
import { skillForTargets } from './proposed-files.ts';
import type { PublishedFile, PublishRecovery } from '../publishing/publish-contract.ts';
import { previewProposal, publishProposal } from './publish-proposal.ts';
import { withoutAliases } from '../publishing/real-place.ts';
import { type Answer, interview, type Question } from './question.ts';
import { type RepositoryScan, scanRepository } from './scan/scan.ts';
import { defaultTimeout } from './scan/size-class.ts';

/** How skills are asked for and published. */
export interface GenerationOptions extends Omit<Asking, 'cwd' | 'env' | 'defaultTimeout' | 'tools'> {
  /** A directory of the repository. */
  cd: string;
  env: Env;
  /** At least one; the implementer writes for the first, the others get the same. */
  targets: readonly Target[];
  /** `--prompts`; null for the user's own. */
  prompts: string | null;
  dryRun: boolean;
  /** Also over what a person wrote. */
  force: boolean;
  /** Told of each answer as it comes. */
  onAnswer: (answer: AnswerReport) => void;
  /** Asked before anything is written, with each file's diff. Not called for a dry run, or where nothing would be written. */
  agree: (shown: readonly PublishedFile[]) => Promise<boolean>;
}

/** What came of one question, for people and programs. */
export interface AnswerReport {
  name: string;
  /** The file that was asked for. */
  file: string;
  /** The skill that it is; null for instructions. */
  skill: string | null;
  /** Whether it can be published. */
  used: boolean;
  problems: string[];
  /** What is not well about it, though it is used. */
  warnings: string[];
  /** Where the answer lies as it came, while the answers are kept. */
  raw: string | null;
  failure: (TextFailure & { message: string }) | null;
}

export interface GenerationReport {
  outcome: 'published' | 'dry-run' | 'declined' | 'nothing-to-write' | 'interrupted';
  answers: AnswerReport[];
  /** What was, or would be, written, with diffs where it would be. */
  files: PublishedFile[];
  /** For `baton skills undo`; null where nothing was written. */
  publication: string | null;
  recovered: PublishRecovery | null;
  notes: string[];
  usage: CostBlock | null;
  /** The folder with the answers as they came; null where all of it was used. */
  kept: string | null;
}

/** A generation that has begun: everything is checked, nothing was asked yet. */
export interface Generation {
  options: GenerationOptions;
  scan: RepositoryScan;
  history: History;
  targets: readonly Target[];
  /** The target whose paths the implementer writes. */
  source: Target;
  sources: readonly PromptSource[];
  asking: Asking;
  answers: KeptAnswers;
  notes: string[];
}

/** Looks at the repository and makes ready to ask. What was answered stays, whatever `work` comes to. */
export async function withGeneration<T>(
  options: GenerationOptions,
  work: (generation: Generation) => Promise<T>,
): Promise<T> {
  const { cd, env, targets, prompts } = options;
  const [source] = targets;
  if (source === undefined) throw new UsageError('no target was named');
  const repository = await locateRepository(checkDirectory(cd).realWorkdir, env, 60_000);
  if ('problem' in repository) throw new UsageError(repository.detail, { hint: repository.hint });
  const { sources, notes } = promptSources({ dir: prompts, repository, env });
  const scan = await scanRepository(repository.top, { env });
  const asking = askingOf(options, scan);
  const answers = new KeptAnswers(env);
  try {
    const history = { repository, env };
    return await work({ options, scan, history, targets, source, sources, asking, answers, notes });
  } finally {
    answers.close();
  }
}

function askingOf(options: GenerationOptions, { top, size }: RepositoryScan): Asking {
  const { implementer, model, effort, timeout, env, signal, hurry, onEvent, onStderr, onWarning, onKept } =
    options;
  return {
    implementer,
    cwd: top,
    env,
    defaultTimeout: defaultTimeout(size.class),
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(signal && { signal }),
    ...(hurry && { hurry }),
    ...(onEvent && { onEvent }),
    ...(onStderr && { onStderr }),
    ...(onWarning && { onWarning }),
    ...(onKept && { onKept }),
  };
}

/**
 * Puts the questions, judges the answers, and publishes what is good where `agree` says yes. `alongside` gives the files
 * that follow from the instructions, which may have been asked for or not.
 */
export async function settleQuestions(
  questions: readonly Question[],
  generation: Generation,
  alongside: (instructions: FileBlock | null) => InstructionFiles,
): Promise<GenerationReport> {
  const { options, scan, history, targets, sources, asking, answers } = generation;
  const commit = await commitOf(history, 'HEAD');
  const judged = new Map<Question, JudgedAnswer>();
  const judge = async (answer: Answer): Promise<void> => {
    const one = judgeAnswer(answer, scan.top, commit);
    judged.set(answer.question, one);
    options.onAnswer(reportOf(answer, one));
  };
  const all = await interview(questions, { asking, sources, answers, onAnswer: judge });
  const reports = all.map((answer) => reportOf(answer, judged.get(answer.question) ?? UNJUDGED));
  const usage = all.map((answer) => answer.usage).reduce(addUsage, null);
  const good = all.flatMap(({ question }) => {
    const file = judged.get(question)?.file ?? null;
    return file === null ? [] : [{ question, file }];
  });
  const instructions = alongside(good.find(({ question }) => question.skill === null)?.file ?? null);
  const skills = good.flatMap(({ question: { skill }, file }) =>
    skill === null ? [] : skillForTargets(skill, file.content, targets),
  );
  const report: GenerationReport = {
    outcome: 'nothing-to-write',
    answers: reports,
    files: [],
    publication: null,
    recovered: null,
    notes: [...generation.notes, ...instructions.notes],
    usage,
    kept: answers.folder,
  };
  if (all.some(({ failure }) => failure?.status === 'aborted')) return { ...report, outcome: 'interrupted' };
  const published = await publishAgreed(
    withoutAliases(scan.top, [...instructions.files, ...skills]),
    generation,
  );
  const settled = { ...report, ...published };
  return isAllUsed(settled) ? withoutAnswers(settled, answers) : settled;
}

type Published = Pick<GenerationReport, 'outcome' | 'files' | 'publication' | 'recovered'>;

async function publishAgreed(
  files: readonly FileBlock[],
  { options, scan, targets }: Generation,
): Promise<Published> {
  const { force, env, dryRun, agree, signal } = options;
  const how = { top: scan.top, targets, force, env };
  const preview = await previewProposal(files, how);
  const shown: Published = { outcome: 'dry-run', files: preview.shown, publication: null, recovered: null };
  if (!preview.shown.some(({ status }) => status.startsWith('would-')))
    return { ...shown, outcome: 'nothing-to-write' };
  if (dryRun) return shown;
  const agreed = await agree(preview.shown);
  if (signal?.aborted) return { ...shown, outcome: 'interrupted' };
  if (!agreed) return { ...shown, outcome: 'declined' };
  return { outcome: 'published', ...(await publishProposal(preview, how)) };
}

/** Whether nothing of what was answered is lost when the answers are thrown away. */
function isAllUsed({ outcome, answers, files }: GenerationReport): boolean {
  const settled = outcome === 'published' || outcome === 'nothing-to-write';
  return (
    settled && answers.every(({ used, problems }) => used && problems.length === 0) && !files.some(isSkipped)
  );
}

function isSkipped({ status }: PublishedFile): boolean {
  return status === 'skipped';
}

function withoutAnswers(report: GenerationReport, answers: KeptAnswers): GenerationReport {
  answers.remove();
  return { ...report, kept: null, answers: report.answers.map((answer) => ({ ...answer, raw: null })) };
}

const UNJUDGED: JudgedAnswer = { file: null, problems: [], warnings: [] };

function reportOf(
  { question: { name, file, skill }, problems, raw, failure }: Answer,
  judged: JudgedAnswer,
): AnswerReport {
  return {
    name,
    file,
    skill,
    used: judged.file !== null,
    problems: [...problems, ...judged.problems],
    warnings: judged.warnings,
    raw,
    failure,
  };
}

/** What both have cost; null only where neither says. */
export function addUsage(one: CostBlock | null, other: CostBlock | null): CostBlock | null {
  return one === null || other === null ? (one ?? other) : addCosts(one, other);
}
