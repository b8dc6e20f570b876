import { evaluateStt, measurable } from '../evaluate-stt.ts';
import { findSubjects } from '../models.ts';
import { startProgress } from '../progress.ts';
import { createMeasured, wrong, type Measured } from './figures.ts';
import { isHeldOutSyllable, readHumanSet } from './human-sets.ts';
import type { FigureId } from './references.ts';
import type { PeopleOptions } from './people-options.ts';

/** Sets, and the figure of each kind of error on them. */
const SETS: readonly {
  table: string;
  language: 'cantonese' | 'mandarin';
  isKept?: (row: Readonly<Record<string, string>>) => boolean;
  ids: Readonly<Record<string, FigureId>>;
}[] = [
  {
    table: 'yue-sentences-dev',
    language: 'cantonese',
    ids: {
      characters: 'characters',
      'syllables with tone': 'sentencesTone',
      'syllables without tone': 'sentencesNoTone',
    },
  },
  {
    table: 'yue-syllables-other',
    language: 'cantonese',
    ids: { 'syllables with tone': 'othersTone', 'syllables without tone': 'othersNoTone' },
  },
  {
    table: 'cmn-words',
    language: 'mandarin',
    isKept: isHeldOutSyllable,
    ids: { 'syllables with tone': 'mandarinTone', 'syllables without tone': 'mandarinNoTone' },
  },
];

/** Errors of the built-in recognizer and of its acoustic model on people whom it does not know. */
export async function measureRecognition({ folders, sizes, place }: PeopleOptions): Promise<Measured> {
  const measured = createMeasured();
  const { subjects } = await findSubjects(place, ['builtin']);
  for (const { ids, ...request } of SETS) {
    const { table, language } = request;
    const set = await readHumanSet(folders, { ...request, limit: sizes.recordings });
    if (set === null) {
      measured.skipped.push(`recognition: no ${table}.tsv`);
      continue;
    }
    for (const subject of subjects.filter(({ languages }) => languages.includes(language))) {
      const { length } = measurable(set, subject);
      if (length === 0) continue;
      const progress = startProgress(`recognition, ${table}, ${subject.name}`, length);
      const row = await evaluateStt(set, subject, place, progress.done);
      progress.finish(row.failure === null ? 'done' : `failed: ${row.failure}`);
      if (row.failure !== null) measured.failures.push(`${table}, ${subject.name}: ${row.failure}`);
      for (const error of row.errors) {
        const id = ids[error.what];
        if (id !== undefined) measured.figures.push(wrong(id, `${length} recordings`, error));
      }
    }
  }
  return measured;
}
