import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

/**
 * Tests that leave no state behind in their process and do not inspect it: they run one after
 * another in processes that are reused, so that dictionaries, schemas and the PostgreSQL client are
 * loaded once for all of them. This halves their processor time.
 */
const SHARED_PROCESS = [
  'server/{config,features,http,jobs,store,telemetry}/**/*.test.ts',
  'packages/{contracts,concurrency,system,text}/**/*.test.ts',
  'packages/audio/{speaker-clustering,speech,vocoder,voice}/**/*.test.ts',
  'packages/engines/{builtin,espeak,openai-compatible,syllable}/**/*.test.ts',
  '{cli,console,scripts}/**/*.test.ts',
  'testbed/video-platform/**/*.test.ts',
];

/**
 * Trainings and evaluations, which only compute: CI runs them beside the others, at the lowest
 * priority, on processors that would be idle while those wait.
 */
const COMPUTATION = ['{eval,training}/**/*.test.ts'];

export default defineConfig({
  resolve: {
    // Test helpers live outside the packages whose tests use them.
    alias: [
      { find: /^#test\//, replacement: `${join(import.meta.dirname, 'test/support')}/` },
      { find: /^#testbed\//, replacement: `${join(import.meta.dirname, 'testbed')}/` },
      { find: /^#packages\//, replacement: `${join(import.meta.dirname, 'packages')}/` },
      { find: /^#server\//, replacement: `${join(import.meta.dirname, 'server')}/` },
    ],
  },
  test: {
    expect: {
      // A test without an assertion proves nothing.
      requireAssertions: true,
      // Conditions usually hold within milliseconds; on a busy machine they may take seconds.
      poll: { timeout: 20_000 },
    },
    // Real databases, real processes and real audio on a small machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Servers, databases and recognition share two cores; more files at once only make each of them
    // time out.
    maxWorkers: 2,
    allowOnly: false,
    // In the order of their names: the long ones first, so that both workers end together.
    projects: [
      {
        extends: true,
        test: {
          name: 'own process',
          include: ['{packages,server,console,test,testbed,cli,bench,scripts,stress}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...SHARED_PROCESS],
        },
      },
      { extends: true, test: { name: 'shared process', include: SHARED_PROCESS, isolate: false } },
      { extends: true, test: { name: 'computation', include: COMPUTATION, isolate: false } },
    ],
  },
});
