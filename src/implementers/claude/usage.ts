import { isObject, type JsonObject, numberOf, objectOf } from '../../core/json.ts';
import type { CostBlock } from '../../rundir/result.ts';

/** Tokens in baton's three words. Input is what was not read from the cache: fresh tokens and those written to it. */
export interface Tokens {
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
}

/** Records of one message come close together, so that a short memory is enough, however long the stream. */
const REMEMBERED_MESSAGES = 256;

/**
 * What a run used. The CLI repeats a message's usage on each of its content blocks: only the last of one message id
 * counts. Once a result came, its totals win.
 */
export class UsageLedger {
  private readonly recent = new Map<string, Tokens>();
  private readonly sum: Tokens = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  private seen = false;
  /** Of the records that say what was used since the one before; null while none did. */
  private since: CostBlock | null = null;
  private last: CostBlock | null = null;

  /** Notes an assistant message; returns the totals so far, or null where nothing changed. */
  message(id: string, usage: unknown): Tokens | null {
    if (!isObject(usage)) return null;
    const tokens = tokensOf(usage);
    const before = this.recent.get(id);
    if (before && same(before, tokens)) return null;
    this.seen = true;
    this.add(tokens, 1);
    if (before) this.add(before, -1);
    this.recent.set(id, tokens);
    if (this.recent.size > REMEMBERED_MESSAGES) {
      const oldest = this.recent.keys().next();
      if (!oldest.done) this.recent.delete(oldest.value);
    }
    return { ...this.sum };
  }

  /**
   * Notes a result. On a resumed session `total_cost_usd` and `modelUsage` count all of its runs;
   * `model_usage_since_last_result`, where there is one, counts this run.
   */
  result(record: JsonObject): void {
    const usage = isObject(record['usage']) ? tokensOf(record['usage']) : null;
    const since = record['model_usage_since_last_result'];
    this.last = {
      usd: numberOf(record['total_cost_usd']),
      ...(usage ?? UNKNOWN),
      byModel: byModel(record['modelUsage']),
    };
    if (isObject(since)) this.since = addUp(this.since, byModel(since));
  }

  cost(): CostBlock {
    if (this.since) return this.since;
    if (this.last)
      return this.last.inputTokens === null && this.seen ? { ...this.last, ...this.sum } : this.last;
    return { usd: null, ...(this.seen ? this.sum : UNKNOWN), byModel: {} };
  }

  private add(tokens: Tokens, sign: 1 | -1): void {
    this.sum.inputTokens += sign * tokens.inputTokens;
    this.sum.outputTokens += sign * tokens.outputTokens;
    this.sum.cachedTokens += sign * tokens.cachedTokens;
  }
}

type ModelCost = CostBlock['byModel'][string];

const UNKNOWN = { inputTokens: null, outputTokens: null, cachedTokens: null };

function tokensOf(usage: JsonObject): Tokens {
  return {
    inputTokens:
      (numberOf(usage['input_tokens']) ?? 0) + (numberOf(usage['cache_creation_input_tokens']) ?? 0),
    outputTokens: numberOf(usage['output_tokens']) ?? 0,
    cachedTokens: numberOf(usage['cache_read_input_tokens']) ?? 0,
  };
}

function same(one: Tokens, other: Tokens): boolean {
  return (
    one.inputTokens === other.inputTokens &&
    one.outputTokens === other.outputTokens &&
    one.cachedTokens === other.cachedTokens
  );
}

function byModel(usage: unknown): CostBlock['byModel'] {
  const models = Object.entries(objectOf(usage)).filter((entry): entry is [string, JsonObject] =>
    isObject(entry[1]),
  );
  return Object.fromEntries(
    models.map(([model, used]) => [
      model,
      {
        usd: numberOf(used['costUSD']),
        inputTokens: (numberOf(used['inputTokens']) ?? 0) + (numberOf(used['cacheCreationInputTokens']) ?? 0),
        outputTokens: numberOf(used['outputTokens']) ?? 0,
        cachedTokens: numberOf(used['cacheReadInputTokens']) ?? 0,
      },
    ]),
  );
}

/** Several results in one stream: each tells only its own part. */
function addUp(before: CostBlock | null, models: CostBlock['byModel']): CostBlock {
  const total: CostBlock = {
    usd: before?.usd ?? 0,
    inputTokens: before?.inputTokens ?? 0,
    outputTokens: before?.outputTokens ?? 0,
    cachedTokens: before?.cachedTokens ?? 0,
    byModel: { ...before?.byModel },
  };
  for (const [model, used] of Object.entries(models)) {
    const known = total.byModel[model];
    total.byModel[model] = known ? plus(known, used) : used;
    Object.assign(total, plus(total, used));
  }
  return total;
}

function plus(one: ModelCost, other: ModelCost): ModelCost {
  return {
    usd: add(one.usd, other.usd),
    inputTokens: add(one.inputTokens, other.inputTokens),
    outputTokens: add(one.outputTokens, other.outputTokens),
    cachedTokens: add(one.cachedTokens, other.cachedTokens),
  };
}

function add(one: number | null, other: number | null): number {
  return (one ?? 0) + (other ?? 0);
}
