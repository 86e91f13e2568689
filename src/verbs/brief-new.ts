import { draftBrief } from '../briefs/draft.ts';
import type { BriefWish, DeltaFacts } from '../briefs/facts.ts';
import type { BriefKind } from '../briefs/kinds.ts';
import { lastLines } from '../core/text.ts';
import { readGates } from '../gates/record.ts';
import { detectGates } from '../gates/detect/detect.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BatonError } from '../core/errors.ts';
import type { Finding } from '../review/finding.ts';
import { topLevelOf } from './brief-place.ts';
import { rulesAt } from './brief-rules.ts';
import { listGates } from './gates.ts';
import { review } from './review.ts';
import { runDirectoryAt, type RunChoice, treeAt } from './run-at.ts';

export interface BriefNewOptions extends RunChoice, BriefWish {
  kind: BriefKind;
}

/** How much a delta brief repeats of what a gate printed, and of what a review found. */
const OUTPUT_LINES = 20;
const MOST_POINTS = 15;

/**
 * The text of a new brief, filled in from what the repository says: its gates, its rules, its top level; a delta also
 * from a finished run. Asks no model and writes nothing. Rejects with a BatonError where a delta has no run.
 */
export async function briefNew({ kind, task, touch, ...choice }: BriefNewOptions): Promise<string> {
  const { treeTop } = await treeAt(choice);
  return draftBrief({
    kind,
    wish: { task, touch },
    facts: {
      gates: await gatesAt(treeTop, choice),
      rules: rulesAt(treeTop, touch),
      topLevel: topLevelOf(treeTop),
    },
    delta: kind === 'delta' ? await deltaOf(choice) : null,
  });
}

/** Those that the project has configured, else those that its files speak of. */
async function gatesAt(top: string, { cd, env }: RunChoice): Promise<{ command: string; from: string }[]> {
  const config = await configuredAt({ cd, env });
  return config && config.gates.length > 0
    ? config.gates.map(({ command, cwd }) => ({
        command: cwd === '.' || cwd === '' ? command : `cd ${cwd} && ${command}`,
        from: config.path,
      }))
    : detectGates(top);
}

/** Outside git, and where the configuration is broken, there is none: the brief can still be written. */
async function configuredAt(choice: Pick<RunChoice, 'cd' | 'env'>): ReturnType<typeof listGates> {
  try {
    return await listGates({ ...choice, run: null });
  } catch (error) {
    if (error instanceof BatonError) return null;
    throw error;
  }
}

async function deltaOf(choice: RunChoice): Promise<DeltaFacts> {
  const { path } = await runDirectoryAt(choice);
  const { runId, result, findings } = await review(choice);
  const gates = readGates(path)?.gates ?? [];
  return {
    runId,
    changed: result.evidence.changes.map((change) => change.path),
    failedGates: gates
      .filter(({ state }) => state === 'failed')
      .map(({ name, command, output }) => ({ name, command, output: endOf(path, output) })),
    points: findings.slice(0, MOST_POINTS).map(pointOf),
  };
}

function pointOf({ kind, file, line, detail, text }: Finding): string {
  const place = file === null ? '' : `\`${file}\`${line === null ? '' : `:${line}`}: `;
  // Without a place, what was said is all that tells what it is about.
  const about = file === null && text !== '' ? `: ${text}` : '';
  // To send a question back without an answer is no answer.
  const open = kind === 'deviation-reported' ? ' [fill in: your answer]' : '';
  return `${place}${detail}${about}${open}`;
}

function endOf(runDir: string, output: string | null): string {
  if (output === null) return '';
  try {
    return lastLines(readFileSync(join(runDir, output), 'utf8'), OUTPUT_LINES).join('\n');
  } catch {
    return '(its output is gone)';
  }
}
