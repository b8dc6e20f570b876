import { configDefaults, defineConfig } from 'vitest/config';

/**
 * Tests that leave nothing behind in their process, nor look at it as a whole: they run one after another in processes that stay,
 * so that dictionaries, schemas and PostgreSQL are loaded once for all of them. That is half of the processor time they took.
 */
const SHARING = [
  'src/{config,contracts,features,http,jobs,language,store,telemetry}/**/*.test.ts',
  'src/engines/{builtin,openai-compatible}/**/*.test.ts',
  'training/**/*.test.ts',
];

export default defineConfig({
  test: {
    expect: {
      // A test without an assertion proves nothing.
      requireAssertions: true,
      // What is waited for comes in milliseconds, but on a machine that is busy with other things it may take seconds.
      poll: { timeout: 20_000 },
    },
    // Real databases, real processes and real sound on a small machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    env: {
      // Loading what a test does not use takes time from the others.
      WARM_UP: 'listen',
    },
    pool: 'forks',
    // Servers, databases and recognition share two cores; more files at once only makes each of them time out.
    maxWorkers: 2,
    allowOnly: false,
    // In the order of their names: the long ones first, so that both workers end together.
    projects: [
      {
        extends: true,
        test: {
          name: 'own process',
          include: ['{src,test,cli,bench,training,scripts}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...SHARING],
        },
      },
      { extends: true, test: { name: 'shared process', include: SHARING, isolate: false } },
    ],
  },
});
