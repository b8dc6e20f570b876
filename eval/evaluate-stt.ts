import { toAppError } from '@jyutsing/contracts/errors';
import type { Language } from '@jyutsing/contracts/transcript';
import { measure, NO_COSTS, type Costs, type Measurement } from './measure.ts';
import type { Subject } from './models.ts';
import type { EvaluationSet, Item } from './read-set.ts';
import { editDistance, errorRate, type ErrorRate } from './score.ts';
import type { AcousticTask, EngineLocation, RecognizerTask } from './tasks.ts';
import { TEXT_TOKENS, textTokens, unitComparisons } from './tokens.ts';

/** What one model did on one set. */
export type SttRow = Costs & {
  set: string;
  language: Language;
  model: string;
  version: string;
  recordings: number;
  /** Recordings on which the model failed; they count as if it had heard nothing. */
  failedRecordings: number;
  errors: ({ what: string } & ErrorRate)[];
  /** Why there are no figures; null when there are. */
  failure: string | null;
  /** What was heard, recording by recording. */
  details: { file: string; speaker: string | null; expected: string; heard: string; failure: string | null }[];
};

/** The recordings of a set that say what this subject is measured by. */
export function measurable(set: EvaluationSet, subject: Subject): Item[] {
  return set.items.filter((item) => (subject.by === 'text' ? item.text : item.units) !== null);
}

/**
 * Measures one model on the recordings of one language of a set. A model that crashes or cannot be opened gives a row that says
 * so; nothing is thrown. `onListened` hears how many recordings are done.
 */
export async function evaluateStt(
  set: EvaluationSet & { language: Language },
  subject: Subject,
  place: EngineLocation,
  onListened: (count: number) => void,
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
    const measured = await measure(taskFor(subject, language, paths, place), onListened);
    if (measured.failed.length === items.length) return { ...row, failure: measured.failed[0]?.reason ?? 'it failed' };
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
  const heardAt = new Map(measured.heard.map(({ index, heard }) => [index, heard]));
  const failureAt = new Map(measured.failed.map(({ index, reason }) => [index, reason]));
  const comparisons =
    by === 'units'
      ? unitComparisons(language).map(({ what, part }) => ({
          what,
          expected: (item: Item) => (item.units ?? []).map(part),
          tokens: (heard: string) => heard.split(' ').filter(Boolean).map(part),
        }))
      : [
          {
            what: TEXT_TOKENS[language],
            expected: (item: Item) => textTokens(language, item.text ?? ''),
            tokens: (heard: string) => textTokens(language, heard),
          },
        ];
  const errors = comparisons.map(({ what, expected, tokens }) => {
    const counts = items.map((item, index) => {
      const wanted = expected(item);
      const heard = tokens(heardAt.get(index) ?? '');
      return { errors: editDistance(heard, wanted), length: wanted.length, speaker: item.speaker };
    });
    return { what, ...errorRate(counts) };
  });
  const details = items.map((item, index) => ({
    file: item.path,
    speaker: item.speaker,
    expected: by === 'text' ? (item.text ?? '') : (item.units ?? []).join(' '),
    heard: heardAt.get(index) ?? '',
    failure: failureAt.get(index) ?? null,
  }));
  return { errors, details };
}
