import { expect, it } from 'vitest';
import { loadConfig } from './config.ts';
import { describeDoubts } from './doubtful-settings.ts';

const doubtsOf = (environment: Record<string, string>) => describeDoubts(loadConfig(environment), environment);

it('a class that no model has is named with the classes that models have', () => {
  const models = 'gpu=builtin;big=whisper-medium,whisper-small';
  expect(doubtsOf({ QUEUE_CLASS: 'gpuu', QUEUE_CLASS_MODELS: models, ROLES: 'transcribe' })).toEqual([
    'QUEUE_CLASS is gpuu, but no model has this class in QUEUE_CLASS_MODELS, which names gpu, big: this process gets no recordings unless the processes that accept them have another QUEUE_CLASS_MODELS. Set it alike everywhere.',
  ]);
  expect(doubtsOf({ QUEUE_CLASS: 'gpu' })).toEqual([
    expect.stringContaining('QUEUE_CLASS_MODELS, which is not set: this process gets no recordings'),
  ]);
});

it.each([
  { QUEUE_CLASS: 'big', QUEUE_CLASS_MODELS: 'gpu=builtin;big=whisper-medium' },
  { QUEUE_CLASS_MODELS: 'gpu=builtin' },
  { QUEUE_CLASS: 'gpuu', QUEUE_CLASS_MODELS: 'gpu=builtin', ROLES: 'api,speak' },
  {},
])('nothing is doubtful about %j', (environment) => {
  expect(doubtsOf(environment as Record<string, string>)).toEqual([]);
});

it('a misspelt variable is named before', () => {
  expect(doubtsOf({ QUEUE_CLAS: 'gpu', QUEUE_CLASS: 'gpu' }).map((sentence) => sentence.split(' ', 2))).toEqual([
    ['QUEUE_CLAS', 'is'],
    ['QUEUE_CLASS', 'is'],
  ]);
});
