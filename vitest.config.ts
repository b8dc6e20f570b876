import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { WORKER_FLAGS } from './packages/system/v8-flags.ts';

// Worker processes of services run up to 15 steps below the process that starts them, and tests
// that compute would starve them. Near the end of the scale, 19, little is left between the two.
setPriority(constants.priority.PRIORITY_LOW - 4);

/**
 * Tests that change their process, measure it or count its timers: each file has one of its own, and
 * so have those that close models of sherpa-onnx, each of which collects all garbage: among the
 * objects of many files that takes a third of a second. All others run one after another in processes
 * that are reused, so that dictionaries, schemas and the PostgreSQL server are loaded once for all of
 * them.
 */
const OWN_PROCESS = [
  'packages/concurrency/within-time.test.ts',
  'packages/audio/encoding/render-speech-file.test.ts',
  'packages/client/{live,package,upload-memory}.test.ts',
  'packages/engines/runtime/model-files/retry.test.ts',
  'packages/engines/sherpa-onnx/{diarizer,live-recognizer,matcha,recognizer,synthesizer,zipvoice}.test.ts',
  'packages/engines/youtube/{proxy,yt-dlp-strategy}.test.ts',
  'server/http/body-pace.test.ts',
  'server/jobs/{save-progress,transcribe}.test.ts',
  'server/store/blobs.test.ts',
  'server/workers/live/host-sessions.test.ts',
];

function isSlow({ moduleId, project }: TestSpecification): boolean {
  return (
    project.config.isolate ||
    /\/(?:test|training|eval|queue|workers|cli|client|sherpa-onnx)\/|move-database/.test(moduleId)
  );
}

/** Whole services, trainings and waits begin first, so that all processors end together. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

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
      // Conditions usually hold within milliseconds; on a busy machine they may take a minute.
      poll: { timeout: 60_000 },
    },
    setupFiles: ['test/support/fixed-seed.ts'],
    // Real databases, real processes and real audio on a small machine.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    pool: 'forks',
    // Two more than processors: servers and databases are waited for, too.
    maxWorkers: 4,
    allowOnly: false,
    sequence: { sequencer: SlowFirst },
    projects: [
      { extends: true, test: { name: 'own process', include: OWN_PROCESS } },
      {
        extends: true,
        test: {
          name: 'shared process',
          include: ['{packages,server,console,test,testbed,cli,bench,scripts,stress,eval,training}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...OWN_PROCESS],
          isolate: false,
          globalSetup: 'test/support/compile-workers.ts',
          // The heap of workers, whose models run here: hundreds of megabytes of objects would be
          // marked after each 64 MiB of sound. The young generation is that of Node.
          execArgv: WORKER_FLAGS.filter((flag) => !flag.startsWith('--max-semi-space-size')),
        },
      },
    ],
  },
});
