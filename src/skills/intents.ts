import { Script, createContext } from 'node:vm';
import { messageOf, systemCode } from '../core/errors.ts';

/** One pattern may use so many milliseconds of processor time, and all together so many. */
const PATTERN_MS = 5;
const TOTAL_MS = 20;
/** However slow the machine is, it ends after so many milliseconds on the clock. */
const WALL_MS = 1000;

/** What became of a pattern: whether it matches, or why that is not known. */
export type IntentAnswer = boolean | { problem: string };

/**
 * Tests regular expressions (in any case) on a text, in order, one answer each. A pattern that backtracks for ever is
 * stopped and reported; the others are tested all the same as long as there is time.
 *
 * V8 can be stopped in the middle of a match only from a script with a timeout. That clock runs while the process waits
 * for a processor, too, so that an innocent pattern could be blamed for a busy machine: it is asked again, with twice
 * the time, until it has really used its share.
 */
export function testIntents(patterns: readonly string[], text: string): IntentAnswer[] {
  const answers: IntentAnswer[] = [];
  const began = { cpu: process.cpuUsage(), wall: performance.now() };
  let patternBegan = began.cpu;
  const testRest = (): void => {
    while (answers.length < patterns.length) {
      patternBegan = process.cpuUsage();
      answers.push(testOne(patterns[answers.length] ?? '', text));
    }
  };
  const context = createContext({ testRest });
  const script = new Script('testRest()');
  let patience = PATTERN_MS;
  while (answers.length < patterns.length) {
    if (msSince(began.cpu) >= TOTAL_MS || performance.now() - began.wall >= WALL_MS) {
      answers.push({ problem: 'not tested: other patterns took all the time' });
      continue;
    }
    const before = answers.length;
    try {
      script.runInContext(context, { timeout: patience });
    } catch (error) {
      if (systemCode(error) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      if (msSince(patternBegan) >= PATTERN_MS * 0.8) answers.push({ problem: 'it takes too long' });
      patience = answers.length > before ? PATTERN_MS : patience * 2;
    }
  }
  return answers;
}

function msSince(cpu: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / 1000;
}

function testOne(pattern: string, text: string): IntentAnswer {
  try {
    return compiled(pattern).test(text);
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** With `u` where it can be: many patterns in use have escapes (`\-`) that only the older syntax takes. */
function compiled(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'iu');
  } catch {
    return new RegExp(pattern, 'i');
  }
}
