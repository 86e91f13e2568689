import { Script, createContext } from 'node:vm';
import { messageOf, systemCode } from '../core/errors.ts';

/** In milliseconds. */
export interface IntentLimits {
  /** Of processor time: a pattern is stopped after so many, and then after twice as many. */
  pattern: number;
  /** Of processor time, for all of them. */
  total: number;
  /** On the clock, for all of them, however slow the machine is. */
  wall: number;
}

const LIMITS: IntentLimits = { pattern: 2, total: 20, wall: 2000 };

/** What became of a pattern: whether it matches, or why that is not known. */
export type IntentAnswer = boolean | { problem: string };

/**
 * Tests regular expressions (in any case) on a text, in order, one answer each. A pattern that backtracks for ever is
 * stopped and reported; the others are tested all the same as long as there is time.
 *
 * V8 can be stopped in the middle of a match only from a script with a timeout, and to begin one takes longer than most
 * patterns do: each tests all that are left. The one that was stopped begins the next script and is judged there, when it
 * was stopped twice and really used its time: the timeout's clock also runs while the process waits for a busy machine.
 */
export function testIntents(
  patterns: readonly string[],
  text: string,
  limits: IntentLimits = LIMITS,
): IntentAnswer[] {
  const answers: IntentAnswer[] = [];
  const context = createContext({
    testRest: () => {
      while (answers.length < patterns.length) answers.push(testOne(patterns[answers.length] ?? '', text));
    },
  });
  const script = new Script('testRest()');
  // Not `performance`: to load it takes longer than all of this.
  const began = { cpu: process.cpuUsage(), wall: process.hrtime.bigint() };
  const fresh = { patience: limits.pattern, stops: 0 };
  let { patience, stops } = fresh;
  while (answers.length < patterns.length) {
    if (cpuMsSince(began.cpu) >= limits.total || wallMsSince(began.wall) >= limits.wall) {
      answers.push({ problem: 'not tested: other patterns took all the time' });
      continue;
    }
    const [before, cpu] = [answers.length, process.cpuUsage()];
    try {
      script.runInContext(context, { timeout: patience });
    } catch (error) {
      if (systemCode(error) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      if (answers.length > before) ({ patience, stops } = fresh);
      else {
        if (cpuMsSince(cpu) >= limits.pattern * 0.8) stops += 1;
        patience *= 2;
      }
      if (stops < 2) continue;
      answers.push({ problem: 'it takes too long' });
      ({ patience, stops } = fresh);
    }
  }
  return answers;
}

function wallMsSince(start: bigint): number {
  return Number((process.hrtime.bigint() - start) / 1_000_000n);
}

function cpuMsSince(cpu: NodeJS.CpuUsage): number {
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

/** `u` only for a pattern that means nothing without: it takes V8 ten times as long to make one with both flags. */
function compiled(pattern: string): RegExp {
  return new RegExp(pattern, NEEDS_UNICODE.test(pattern) ? 'iu' : 'i');
}

const NEEDS_UNICODE = /\\[pPu]\{|[\u{10000}-\u{10ffff}]/u;
