import type { CostBlock } from '../rundir/result.ts';

type Amounts = Omit<CostBlock, 'byModel'>;

/** What two launches have cost together; null only where neither said. */
export function addCosts(first: CostBlock, second: CostBlock): CostBlock {
  const byModel: CostBlock['byModel'] = { ...first.byModel };
  for (const [model, amounts] of Object.entries(second.byModel)) {
    const before = Object.hasOwn(byModel, model) ? byModel[model] : undefined;
    byModel[model] = before === undefined ? amounts : addAmounts(before, amounts);
  }
  return { ...addAmounts(first, second), byModel };
}

function addAmounts(first: Amounts, second: Amounts): Amounts {
  const add = (one: number | null, other: number | null): number | null =>
    one === null && other === null ? null : (one ?? 0) + (other ?? 0);
  return {
    usd: add(first.usd, second.usd),
    inputTokens: add(first.inputTokens, second.inputTokens),
    outputTokens: add(first.outputTokens, second.outputTokens),
    cachedTokens: add(first.cachedTokens, second.cachedTokens),
  };
}
