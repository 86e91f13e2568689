import { isObject, numberOf, objectOf } from '../../core/json.ts';
import type { CostBlock } from '../../rundir/result.ts';

/** Tokens in baton's three words. Input is what was not read from the cache, which codex counts within its input. */
export interface Tokens {
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
}

/** Null where the record says nothing about tokens. */
export function tokensOf(usage: unknown): Tokens | null {
  if (!isObject(usage)) return null;
  const input = numberOf(usage['input_tokens'] ?? usage['inputTokens']);
  const output = numberOf(usage['output_tokens'] ?? usage['outputTokens']);
  if (input === null && output === null) return null;
  const details = objectOf(usage['input_tokens_details']);
  const cached = numberOf(
    usage['cached_input_tokens'] ?? usage['cachedInputTokens'] ?? details['cached_tokens'],
  );
  return {
    inputTokens: Math.max(0, (input ?? 0) - (cached ?? 0)),
    outputTokens: output ?? 0,
    cachedTokens: cached ?? 0,
  };
}

/** Codex names no price and no model. */
export function costOf(tokens: Tokens | null): CostBlock {
  return { usd: null, inputTokens: null, outputTokens: null, cachedTokens: null, ...tokens, byModel: {} };
}
