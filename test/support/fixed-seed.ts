import * as fc from 'fast-check';

// Random tests try the same cases in each run, so that a change is judged by what it changes;
// `TEST_SEED=7 npm test` tries others.
fc.configureGlobal({ seed: Number(process.env['TEST_SEED'] ?? 1) });
