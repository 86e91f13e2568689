import type { Step } from './script.ts';

/** What the next request for a turn gets; `index` counts the steps from 0 and is null once the script has ended. */
export interface Cue {
  step: Step;
  index: number | null;
}

/** Said when the agent asks for more than the script has: the run ends, and its last words tell why. */
const EXHAUSTED = 'The script has no step left.';

/** Goes through a script, request by request. */
export class ScriptPlayer {
  private readonly steps: readonly Step[];
  private index = 0;
  private played = 0;

  constructor(steps: readonly Step[]) {
    this.steps = steps;
  }

  next(): Cue {
    const step = this.steps[this.index];
    if (!step) return { step: THE_END, index: null };
    const cue = { step, index: this.index };
    this.played += 1;
    if (step.kind === 'turn' || this.played >= step.times) {
      this.index += 1;
      this.played = 0;
    }
    return cue;
  }

  /** How many steps are still to come: 0 when every one was played. */
  get left(): number {
    const current = this.steps[this.index];
    const forEver = current && current.kind !== 'turn' && current.times === Infinity && this.played > 0;
    return this.steps.length - this.index - (forEver ? 1 : 0);
  }
}

const THE_END: Step = {
  kind: 'turn',
  actions: [{ kind: 'say', text: EXHAUSTED }],
  usage: { input: 0, output: 0, cached: 0 },
  delayMs: 0,
};
