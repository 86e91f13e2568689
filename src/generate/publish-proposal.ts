import { join } from 'node:path';
import { basename, dirname } from 'node:path/posix';
import type { Env } from '../core/environment.ts';
import { stateHome } from '../core/state-home.ts';
import { extractRules, formatSkillRules, rulesOf } from '../skills/extract-rules.ts';
import type { Target } from '../targets/target.ts';
import { existingSkills, fileToday, skillPath } from './existing-skills.ts';
import type { FileBlock } from '../answers/file-block.ts';
import { printOf } from '../publishing/ownership.ts';
import { publicationFolder, recordPublished } from '../publishing/publication-folder.ts';
import { makePrivateFolder } from '../rundir/state-folder.ts';
import { publish, type PublishRequest, whatLies } from '../publishing/publish.ts';
import type { PublishedFile, PublishOutcome } from '../publishing/publish-contract.ts';
import { realPlace } from '../publishing/real-place.ts';

export interface ProposalOptions {
  top: string;
  targets: readonly Target[];
  force: boolean;
  env: Env;
}

/** What would be published: the files that were asked for, and the rules that follow from them. */
export interface Preview {
  files: FileBlock[];
  /** What lay at each path when it was looked at. */
  before: ReadonlyMap<string, string | null>;
  /** Each with its exact bytes and a diff. */
  shown: PublishedFile[];
}

/** Looks at what a publication would do. The rules of the skills are part of it, so that they never disagree. */
export async function previewProposal(
  files: readonly FileBlock[],
  options: ProposalOptions,
): Promise<Preview> {
  const alone = await lookAt(files, options);
  const rules = options.targets.flatMap((target) => rulesFile(target, alone.shown, options) ?? []);
  return rules.length === 0 ? alone : lookAt([...files, ...rules], options);
}

/** Publishes exactly what was shown, and nothing over what changed since: a question may stay open for hours. */
export function publishProposal(
  { files, before }: Preview,
  options: ProposalOptions,
): Promise<PublishOutcome> {
  return publish({ ...requestOf(files, options, false), before });
}

async function lookAt(files: readonly FileBlock[], options: ProposalOptions): Promise<Preview> {
  const before = whatLies(
    options.top,
    files.map(({ path }) => path),
  );
  const { files: shown } = await publish(requestOf(files, options, true));
  return { files: [...files], before, shown };
}

function requestOf(
  files: readonly FileBlock[],
  { top, targets, force, env }: ProposalOptions,
  dryRun: boolean,
): PublishRequest {
  const options = { targets: targets.map(({ id }) => id), force, env, dryRun, mark: true };
  return { root: top, files, options, nested: false };
}

/** The rules as they have to be once these files are there; null where the product has none, or nothing to rule. */
function rulesFile(
  target: Target,
  shown: readonly PublishedFile[],
  options: ProposalOptions,
): FileBlock | null {
  const { top } = options;
  if (target.rules === null) return null;
  const contents = new Map(existingSkills(top, target).map(({ name, content }) => [name, content]));
  claimRules(target, target.rules, options);
  for (const { path, content } of shown) {
    const name = basename(dirname(path));
    if (content !== undefined && path === realPlace(top, skillPath(target, name)))
      contents.set(name, content);
  }
  if (contents.size === 0) return null;
  const content = formatSkillRules(rulesOf(contents));
  return { path: realPlace(top, target.rules) ?? target.rules, content };
}

/**
 * Rules that are just what baton makes of the skills that lie there are baton's own, whoever had them made: in a clone,
 * nothing else would say so, and a JSON file cannot carry a mark.
 */
function claimRules({ skills }: Target, rules: string, { top, env }: ProposalOptions): void {
  const today = fileToday(top, rules);
  if (today === null || today !== formatSkillRules(extractRules(join(top, skills)).rules)) return;
  const folder = publicationFolder(stateHome(env), top);
  try {
    makePrivateFolder(folder);
    recordPublished(folder, new Map([[rules, printOf(today)]]));
  } catch {
    // Without it the rules are shown as a person's: `--force`, or `baton skills rules --out`, writes them.
  }
}
