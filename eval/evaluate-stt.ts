import { toAppError } from '@jyutsing/contracts/errors';
import type { Language } from '@jyutsing/contracts/transcript';
import { measure, NO_COSTS, type Costs, type Measurement } from './measure.ts';
import type { Subject } from './models.ts';
import type { EvaluationSet, Item } from './read-set.ts';
import { editDistance, errorRate, type ErrorRate } from './score.ts';
import type { AcousticTask, EngineLocation, RecognizerTask } from './tasks.ts';
import { TEXT_TOKENS, textTokens, unitComparisons } from './tokens.ts';

/** Result of one model on one set. */
export type SttRow = Costs & {
  set: string;
  language: Language;
  model: string;
  version: string;
  recordings: number;
  /** Recordings on which the model failed; they count as empty transcripts. */
  failedRecordings: number;
  errors: ({ what: string } & ErrorRate)[];
  /** Why there are no figures; null when there are some. */
  failure: string | null;
  /** Recognized text per recording. */
  details: { file: string; speaker: string | null; expected: string; recognized: string; failure: string | null }[];
};

/** Recordings of a set with the reference that this subject needs (text or units). */
export function measurable(set: EvaluationSet, subject: Subject): Item[] {
  return set.items.filter((item) => (subject.by === 'text' ? item.text : item.units) !== null);
}

/**
 * Measures one model on the recordings of one language of a set. A crash or a model that cannot be
 * opened becomes the row's `failure`; nothing is thrown. `onProgress` gets the count of recordings
 * done.
 */
export async function evaluateStt(
  set: EvaluationSet & { language: Language },
  subject: Subject,
  place: EngineLocation,
  onProgress: (count: number) => void,
): Promise<SttRow> {
  const items = measurable(set, subject);
  const paths = items.map((item) => item.path);
  const { language } = set;
  const row: SttRow = {
    set: set.name,
    language,
    model: subject.name,
    version: subject.version,
    recordings: items.length,
    failedRecordings: 0,
    errors: [],
    failure: null,
    details: [],
    ...NO_COSTS,
  };
  try {
    const measured = await measure(taskFor(subject, language, paths, place), onProgress);
    if (measured.failed.length === items.length)
      return { ...row, failure: measured.failed[0]?.reason ?? 'every recording failed' };
    const scored = score(items, language, subject.by, measured);
    return { ...row, ...scored, ...measured.costs, failedRecordings: measured.failed.length };
  } catch (thrown) {
    return { ...row, failure: toAppError(thrown).message };
  }
}

function taskFor(subject: Subject, language: Language, paths: readonly string[], place: EngineLocation) {
  if (subject.by === 'units') {
    const payload: AcousticTask = { modelsDir: place.env.builtinModelsDir, language, paths };
    return { kind: 'acoustic', payload } as const;
  }
  const payload: RecognizerTask = { ...place, engine: subject.engine, model: subject.name, language, paths };
  return { kind: 'recognizer', payload } as const;
}

function score(
  items: readonly Item[],
  language: Language,
  by: Subject['by'],
  measured: Measurement,
): Pick<SttRow, 'errors' | 'details'> {
  const recognizedAt = new Map(measured.recognized.map(({ index, text }) => [index, text]));
  const failureAt = new Map(measured.failed.map(({ index, reason }) => [index, reason]));
  const comparisons =
    by === 'units'
      ? unitComparisons(language).map(({ what, part }) => ({
          what,
          expected: (item: Item) => (item.units ?? []).map(part),
          tokens: (recognized: string) => recognized.split(' ').filter(Boolean).map(part),
        }))
      : [
          {
            what: TEXT_TOKENS[language],
            expected: (item: Item) => textTokens(language, item.text ?? ''),
            tokens: (recognized: string) => textTokens(language, recognized),
          },
        ];
  const errors = comparisons.map(({ what, expected, tokens }) => {
    const counts = items.map((item, index) => {
      const reference = expected(item);
      const recognized = tokens(recognizedAt.get(index) ?? '');
      return { errors: editDistance(recognized, reference), length: reference.length, speaker: item.speaker };
    });
    return { what, ...errorRate(counts) };
  });
  const details = items.map((item, index) => ({
    file: item.path,
    speaker: item.speaker,
    expected: by === 'text' ? (item.text ?? '') : (item.units ?? []).join(' '),
    recognized: recognizedAt.get(index) ?? '',
    failure: failureAt.get(index) ?? null,
  }));
  return { errors, details };
}
