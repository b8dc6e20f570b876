import { describe, expect, test } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import type { Language } from '@jyutsing/contracts/transcript';
import { namedModels, qualityAt, rankModels, unavailableError, type Candidates } from './select-model.ts';

type Stated = {
  engine?: string;
  languages?: Partial<Record<Language, number>>;
  quality?: number;
  clones?: 'profile' | 'none';
  cloned?: Partial<Record<Language, number>>;
  reason?: string;
};

/** Makes the candidates of a registry with these models. */
function candidates(
  models: Readonly<Record<string, Stated>>,
  broken: Candidates<'recognizer'>['broken'] = [],
): Candidates<'recognizer'> {
  const all = Object.entries(models).map(([name, { engine = name, languages, quality, clones, cloned, reason }]) => ({
    engine: { ability: 'recognizer', name: engine },
    model: {
      name,
      version: '1',
      capabilities: {
        ...(quality === undefined ? { languages: languages ?? {} } : { quality }),
        ...(clones === undefined ? {} : { clones }),
        ...(cloned === undefined ? {} : { cloned }),
      },
      availability: reason === undefined ? { available: true } : { available: false, reason },
    },
  }));
  return { ability: 'recognizer', all, broken } as unknown as Candidates<'recognizer'>;
}
const namesOf = (ranked: readonly { model: { name: string } }[]) => ranked.map(({ model }) => model.name);

function errorOf(action: () => unknown): AppError {
  try {
    action();
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  return expect.unreachable('no AppError was thrown');
}

const THREE = candidates({
  small: { languages: { cantonese: 40, mandarin: 40 } },
  large: { languages: { cantonese: 80, english: 70 } },
  other: { engine: 'box', languages: { english: 90 } },
});

describe('the models that a query names', () => {
  test.each([
    [{}, ['small', 'large', 'other']],
    [{ model: null }, ['small', 'large', 'other']],
    [{ model: 'auto' }, ['small', 'large', 'other']],
    [{ model: 'small' }, ['small']],
    [{ model: 'box' }, ['other']],
  ])('%j: %j', (query, names) => {
    expect(namesOf(namedModels(THREE, query))).toEqual(names);
  });

  test('an unknown name is an error that says it', () => {
    const error = errorOf(() => namedModels(THREE, { model: 'none' }));
    expect([error.code, error.message]).toEqual(['model_not_found', expect.stringContaining('"none"')]);
  });

  test('a folder that could not be loaded says why', () => {
    const modelCandidates = candidates({}, [{ name: 'bad', reason: 'a library is missing' }]);
    const error = errorOf(() => namedModels(modelCandidates, { model: 'bad' }));
    expect([error.code, error.message]).toEqual([
      'engine_unavailable',
      expect.stringContaining('a library is missing'),
    ]);
    expect(errorOf(() => namedModels(modelCandidates, { model: 'worse' })).code).toBe('model_not_found');
  });
});

describe('the models for a language, best first', () => {
  test.each([
    ['cantonese', ['large', 'small']],
    ['mandarin', ['small']],
    ['english', ['other', 'large']],
    // Chinese and an unknown language count by the quality in Cantonese.
    ['chinese', ['large', 'small']],
    ['auto', ['large', 'small', 'other']],
  ] as const)('%s: %j', (language, names) => {
    expect(namesOf(rankModels(THREE, { language }))).toEqual(names);
  });

  test('a named model must know the language', () => {
    expect(namesOf(rankModels(THREE, { language: 'english', model: 'large' }))).toEqual(['large']);
    const error = errorOf(() => rankModels(THREE, { language: 'mandarin', model: 'large' }));
    expect([error.code, error.message]).toEqual(['invalid_parameter', expect.stringContaining('mandarin')]);
  });

  test('a model that is not available is left out', () => {
    const modelCandidates = candidates({
      best: { languages: { cantonese: 90 }, reason: 'it is not installed' },
      next: { languages: { cantonese: 10 } },
    });
    expect(namesOf(rankModels(modelCandidates, { language: 'cantonese' }))).toEqual(['next']);
    expect(rankModels(modelCandidates, { language: 'cantonese', model: 'best' })).toEqual([]);
  });

  test('models of one quality keep their order', () => {
    const modelCandidates = candidates({ b: { quality: 5 }, a: { quality: 5 }, c: { quality: 6 } });
    expect(namesOf(rankModels(modelCandidates, {}))).toEqual(['c', 'b', 'a']);
  });

  test('a model with a single voice of its own comes last unless it is named', () => {
    const modelCandidates = candidates({
      single: { languages: { cantonese: 90 }, clones: 'none' },
      cloning: { languages: { cantonese: 10 }, clones: 'profile' },
    });
    expect(namesOf(rankModels(modelCandidates, { language: 'cantonese' }))).toEqual(['cloning', 'single']);
    expect(namesOf(rankModels(modelCandidates, { language: 'cantonese', model: 'single' }))).toEqual(['single']);
  });

  test('nothing is ranked among no models', () => {
    expect(rankModels(candidates({}), { language: 'cantonese' })).toEqual([]);
  });
});

describe('the error for a query that no available model fits', () => {
  test('names the ability and the language', () => {
    const { code, message } = unavailableError(candidates({}), { language: 'english' });
    expect([code, message]).toEqual([
      'engine_unavailable',
      'No engine that can recognize english is available on this server.',
    ]);
    expect(unavailableError(candidates({}), {}).message).toContain('recognize any language');
  });

  test('gives the reasons of models that know the language', () => {
    const modelCandidates = candidates({
      big: { languages: { cantonese: 1 }, reason: 'it is not installed' },
      foreign: { languages: { english: 1 }, reason: 'no key' },
      fine: { languages: { cantonese: 1 } },
    });
    expect(unavailableError(modelCandidates, { language: 'cantonese' }).message).toMatch(
      /\(big: it is not installed\)\.$/,
    );
  });

  test('names the engine that was asked for', () => {
    const modelCandidates = candidates({ big: { engine: 'box', languages: { cantonese: 1 }, reason: 'no key' } });
    expect(unavailableError(modelCandidates, { model: 'box' }).message).toBe(
      'The engine "box" is not available on this server (big: no key).',
    );
  });

  test('lists three reasons at most', () => {
    const modelCandidates = candidates(
      Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, { languages: { cantonese: 1 }, reason: 'off' }])),
    );
    expect(unavailableError(modelCandidates, {}).message).toContain('(a: off; b: off; c: off; …)');
  });
});

test.each([
  [{ languages: { cantonese: 30 } }, 'cantonese', 30],
  [{ languages: { cantonese: 30 } }, 'english', 0],
  [{ quality: 7 }, 'english', 7],
] as const)('the quality of %j in %s is %i', (capabilities, language, quality) => {
  expect(qualityAt({ capabilities }, language)).toBe(quality);
});

test('voices of recorded people may have another best model than designed ones', () => {
  const modelCandidates = candidates({
    syllables: { languages: { cantonese: 40 }, cloned: { cantonese: 20 } },
    formants: { languages: { cantonese: 30, english: 30 } },
  });
  expect(namesOf(rankModels(modelCandidates, { language: 'cantonese' }))).toEqual(['syllables', 'formants']);
  expect(namesOf(rankModels(modelCandidates, { language: 'cantonese', clones: true }))).toEqual([
    'formants',
    'syllables',
  ]);
  expect(namesOf(rankModels(modelCandidates, { language: 'cantonese', clones: true, model: 'syllables' }))).toEqual([
    'syllables',
  ]);
});
