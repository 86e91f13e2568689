import type { StepKinds } from '../step-kind.ts';
import { byteSteps } from './bytes.ts';
import { commandSteps } from './commands.ts';
import { endingSteps } from './endings.ts';
import { fileSteps } from './files.ts';
import { processSteps } from './process.ts';
import { talkSteps } from './talk.ts';

/** Every kind of step, by name. `docs/scripted.md` has them all with examples. */
export const STEP_KINDS: StepKinds = {
  ...talkSteps,
  ...fileSteps,
  ...commandSteps,
  ...byteSteps,
  ...processSteps,
  ...endingSteps,
};
