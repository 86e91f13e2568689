/** What a review has to know of a gate. */
export interface GateFact {
  name: string;
  command: string;
  outcome: 'passed' | 'failed' | 'could-not-run' | 'not-run';
  /** A sentence, where there is more to say. */
  detail: string | null;
}
