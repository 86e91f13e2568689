import { truncate } from '../core/text.ts';
import type { AgentClaim } from '../implementers/events.ts';

/** More of a wrong answer teaches nothing, and the prompt has a limit. */
const MAX_ANSWER = 20_000;

/**
 * The prompt once more, with the answer that did not match and why. A new conversation, since not every CLI can go on
 * with one that was not kept.
 */
export function repairPrompt(
  prompt: Uint8Array,
  { finalText, structuredOutput }: Pick<AgentClaim, 'finalText' | 'structuredOutput'>,
  problems: readonly string[],
): Uint8Array {
  const answer = structuredOutput === undefined ? finalText : JSON.stringify(structuredOutput);
  return Buffer.concat([
    prompt,
    Buffer.from(`

---

You were asked the above before. Your answer did not match the required JSON Schema:

${problems.map((problem) => `- ${problem}`).join('\n')}

That answer was:

${truncate(answer, MAX_ANSWER)}

Answer again, in full, so that it matches the schema. Give the JSON and nothing else.
`),
  ]);
}
