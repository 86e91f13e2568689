// Misses and false alarms of the review on seeded faults and harmless edits, beside those of plain diff reading.
//
//   node bench/review/run.mjs

import { plainFindings } from './plain.mjs';
import { readSeeds, seeded } from './seeds.mjs';
import { findingsBetween, loadReview, scratchRepository } from './whole-diff.mjs';

const review = await loadReview();
const repository = scratchRepository();
const { project, seeds, harmless } = readSeeds();
const testTexts = new Map(Object.entries(project).filter(([path]) => review.isTest(path)));
/** @type {{ [reader: string]: { missed: string[], beside: string[] } }} */
const count = { review: { missed: [], beside: [] }, plain: { missed: [], beside: [] } };
try {
  const before = repository.ofFiles(project);
  for (const seed of [...seeds, ...harmless]) {
    const after = repository.ofFiles(seeded(project, seed));
    const { findings, files } = await findingsBetween(review, repository, before, after, { testTexts });
    judge('review', seed, findings);
    judge('plain', seed, plainFindings(files));
  }
} finally {
  repository.close();
  review.close();
}
for (const [name, { missed, beside }] of Object.entries(count)) {
  console.log(
    `${name}: ${seeds.length - missed.length} of ${seeds.length} faults found, ${beside.length} findings that nothing was put there for (${harmless.length} harmless edits)`,
  );
  for (const line of missed) console.log(`  missed: ${line}`);
  for (const line of beside) console.log(`  beside: ${line}`);
}

function judge(name, { finds, at, name: title, rename }, findings) {
  // Plain reading sees the line of a mark, and not what it is a mark of.
  const isIt = (finding) =>
    finding.kind === finds && (rename || name === 'plain' || finding.text.includes(at));
  if (finds && !findings.some(isIt)) count[name].missed.push(`${title} (${finds}): ${list(findings)}`);
  const beside = findings.filter((finding) => finding.kind !== finds);
  for (const { kind, text } of beside) count[name].beside.push(`${title}: ${kind} ${text}`);
}

function list(findings) {
  return findings.map(({ kind, text }) => `${kind} ${text}`).join('; ') || 'nothing';
}
