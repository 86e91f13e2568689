import { defineConfig } from 'vitest/config';

// Nearly every test starts real processes, so the wait limits are generous: a loaded machine must not fail a test.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'conformance/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Most tests wait for other processes.
    maxWorkers: 2,
  },
});
