import { type Finding, sortFindings } from '../finding.ts';
import { assertionChanges } from './assertion-changes.ts';
import { changedPaths } from './changed-paths.ts';
import { claims } from './claim.ts';
import type { Detector, Reviewed } from './detector.ts';
import { facts } from './facts.ts';
import { hardCoded } from './hard-coded.ts';
import { leftovers } from './leftovers.ts';
import { manifests } from './manifests.ts';
import { reported } from './reported.ts';
import { secrets } from './secrets.ts';
import { suppressions } from './suppressions.ts';
import { testChanges } from './test-changes.ts';

const DETECTORS: readonly Detector[] = [
  facts,
  claims,
  reported,
  testChanges,
  assertionChanges,
  hardCoded,
  changedPaths,
  manifests,
  secrets,
  suppressions,
  leftovers,
];

/** Everything that is found in a run, in the order in which to look at it. Pure. */
export function findingsOf(run: Reviewed): Finding[] {
  return sortFindings(DETECTORS.flatMap((detect) => detect(run)));
}
