import { AppError } from '@jyutsing/contracts/errors';
import type { ModelCatalog } from '@jyutsing/contracts/model-catalog';
import { enginesIn } from '@jyutsing/engines/registry';
import type { ServerDeps } from '#server/http/deps.ts';
import type { Task, TaskContext } from '#server/workers/define-task.ts';
import { createEngineCache } from '#server/workers/engine-cache.ts';
import type { Score } from './score-well.ts';

type Options = {
  /** Scoring is unavailable when this is absent. */
  scorePronunciation: Score | undefined;
  /** Waits before a deck is made; its signal aborts when the client has left. */
  beforeDeck: ((signal: AbortSignal) => Promise<void>) | undefined;
  maxDurationMs: number;
};

/** Runs tasks in the process of the test instead of a worker process. Scoring is replaced. */
export function runTasksHere({
  scorePronunciation = refuse,
  beforeDeck,
  maxDurationMs,
}: Options): ServerDeps['workers'] {
  const settings = {
    env: { builtinModelsDir: '/nowhere', modelsDir: '/nowhere', settings: {} },
    enginesDir: '/nowhere',
    limits: { maxDurationMs },
    silenceTimeoutMs: 60_000,
    fusionChunkBudgetMs: 60_000,
    defaultModels: { recognizer: 'auto', synthesizer: 'auto' },
  };
  const context: TaskContext = { ...settings, engines: createEngineCache(enginesIn(settings)) };
  return {
    async run<Input, Result>(
      task: Task<Input, Result>,
      input: Input,
      _accountId: string,
      signal = new AbortController().signal,
    ) {
      if (task.name === 'score') return (await scorePronunciation(input as never, signal)) as Result;
      if (task.name === 'make-deck') await beforeDeck?.(signal);
      return task.run(input, context, signal);
    },
  };
}

function refuse(): Promise<never> {
  return Promise.reject(new AppError('engine_unavailable'));
}

/** A catalog that lists the given models, and selects one that only replaced tasks can open. */
export function catalogOf(models: ReturnType<ModelCatalog['describeModels']>): ModelCatalog {
  return {
    describeModels: () => models,
    describeEngines: () => [
      { ability: 'diarizer', engine: 'ears', version: '2', available: true, reason: null },
      { ability: 'summarizer', engine: 'scribe', version: '3', available: false, reason: 'its weights are missing' },
    ],
    select: (ability) => ({
      ability,
      engine: 'test',
      model: 'test',
      version: '1',
      capabilities: { quality: 1 } as never,
    }),
  };
}
