import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{src,test,cli,bench,training,scripts}/**/*.test.ts'],
    // A test without an assertion proves nothing.
    expect: { requireAssertions: true },
    // Real databases, real processes and real sound on a small machine.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Loading what a test does not use takes time from the others.
    env: { WARM_UP: 'listen' },
    pool: 'forks',
    // Servers, databases and recognition share two cores; more files at once only makes each of them time out.
    maxWorkers: 2,
    allowOnly: false,
  },
});
