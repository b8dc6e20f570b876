import { expect, it } from 'vitest';
import { workerSources } from './compile-workers.ts';

it('the code of workers has their entry, every task and the engines, and no tests', () => {
  const sources = workerSources();
  for (const needed of [
    'server/workers/worker-main.ts',
    'server/workers/tasks/transcribe.ts',
    'packages/engines/builtin/recognizer.ts',
    'packages/text/readings/jyutping-dictionary.ts',
  ]) {
    expect(sources).toContain(needed);
  }
  expect(sources.filter((path) => /test|node_modules|\.d\.ts/.test(path))).toEqual([]);
});
