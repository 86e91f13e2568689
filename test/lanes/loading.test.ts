import { expect, it } from 'vitest';
import { loadedWith, sourceFiles } from '../support/source.ts';

const files = sourceFiles('src');

/** Where a run with a lane gets what a run without one must not wait for. */
const ON_DEMAND = ['src/lanes/lane-at.ts', 'src/dispatch/layered.ts'];

it.each([
  'src/commands/dispatch.ts',
  'src/dispatch/dispatch.ts',
  'src/claude-relay.ts',
  'src/codex-relay.ts',
])('%s loads nothing of lanes until one is named', (entry) => {
  const loaded = [...loadedWith(entry, files).files];
  expect(loaded).toContain('src/dispatch/lane.ts');
  expect(loaded.filter((path) => path.startsWith('src/lanes/') || ON_DEMAND.includes(path))).toEqual([]);
});

it.each(ON_DEMAND)('%s loads no package at all', (entry) => {
  const { packages } = loadedWith(entry, files);
  expect([...packages].filter((name) => !name.startsWith('node:'))).toEqual([]);
});
