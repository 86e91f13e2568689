import { type Block, brokenFence, endsTwice, type Reading } from './answer-blocks.ts';
import type { FenceMark } from './answer-marks.ts';
import type { Answer } from './answer-wrapper.ts';
import { closesFence } from './fences.ts';

/** Reads `<!-- file: path -->` markers, for an answer without one opener: each file goes on to the next, or to the end. */
export function readMarkers({ text, start, end, marks }: Answer): Reading {
  const reading: Reading = { blocks: [], problems: [], commentary: '' };
  let current: Block | null = null;
  let from = start;
  let fence: FenceMark | null = null;

  const finish = (until: number): void => {
    const body = text.slice(from, until);
    if (!current) reading.commentary = body;
    else {
      current.content = body;
      if (fence) current.fault ??= brokenFence(fence);
    }
  };
  for (const mark of marks) {
    if (mark.kind === 'marker') {
      finish(mark.start);
      current = { path: mark.path, line: mark.line, content: '', fault: null, hidden: [] };
      reading.blocks.push(current);
      from = mark.next;
      fence = null;
    } else if (mark.kind === 'close') {
      reading.problems.push({ kind: 'stray-closer', line: mark.line, message: '`</file>` closes nothing' });
      if (current) current.fault ??= endsTwice(mark);
    } else if (mark.kind === 'fence') {
      if (fence === null) fence = mark;
      else if (closesFence(fence, mark)) fence = null;
    }
  }
  finish(end);
  return reading;
}
