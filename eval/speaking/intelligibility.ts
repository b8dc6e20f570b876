import type { Language } from '@jyutsing/contracts/transcript';
import { textToJyutping } from '@jyutsing/text/text-to-jyutping';
import { evaluateStt, type SttRow } from '../evaluate-stt.ts';
import { findSubjects } from '../models.ts';
import type { EvaluationSet } from '../read-set.ts';
import { editDistance, errorRate, type ErrorRate } from '../score.ts';
import type { EngineLocation } from '../tasks.ts';
import { alignTokens } from './align-tokens.ts';

/** One figure about what was understood of synthetic speech; rates are 0..1. */
export type Understood = { language: Language; by: string; what: string; goal: number | null } & ErrorRate;

/** The built-in recogniser hears what was spoken: the acoustic model alone, and with its words. */
export async function measureIntelligibility(
  set: EvaluationSet & { language: Language },
  place: EngineLocation,
  onListened: (count: number) => void,
): Promise<Understood[]> {
  const { language } = set;
  const { subjects } = await findSubjects(place, ['builtin']);
  const figures: Understood[] = [];
  for (const subject of subjects.filter(({ languages }) => languages.includes(language))) {
    const row = await evaluateStt(set, subject, place, onListened);
    if (row.failure !== null) throw new Error(`${subject.name} on ${set.name}: ${row.failure}`);
    const by = subject.by === 'units' ? 'acoustic model alone' : 'recogniser, with words';
    figures.push(...row.errors.map((error) => ({ language, by, goal: goalOf(language, error.what), ...error })));
    if (language !== 'english' && subject.by === 'units') figures.push({ language, by, ...wrongTones(row) });
    if (language === 'cantonese' && subject.by === 'text') figures.push({ language, by, ...wrongSyllables(row, set) });
  }
  return figures;
}

function goalOf(language: Language, what: string): number | null {
  if (language === 'english') return what === 'phones' ? 0.1 : null;
  return what === 'syllables without tone' ? 0.05 : null;
}

const withoutTone = (syllable: string) => syllable.slice(0, -1);

/** Of the syllables that were heard with the right onset and rime, those with another tone. */
function wrongTones(row: SttRow) {
  const counts = row.details.map(({ expected, heard, speaker }) => {
    const pairs = alignTokens(expected.split(' '), heard.split(' ').filter(Boolean), withoutTone);
    const errors = pairs.filter(([wanted, got]) => wanted !== got).length;
    return { errors, length: pairs.length, speaker };
  });
  return { what: 'tones, of syllables heard right', goal: 0.05, ...errorRate(counts) };
}

/** The characters that were recognised, read aloud: homophones cost nothing. */
function wrongSyllables(row: SttRow, set: EvaluationSet) {
  const unitsAt = new Map(set.items.map(({ path, units }) => [path, units]));
  const counts = row.details.flatMap(({ file, heard, speaker }) => {
    const wanted = unitsAt.get(file) ?? null;
    if (wanted === null) return [];
    const syllables = textToJyutping(heard).flatMap(({ jyutping }) => jyutping ?? []);
    return [{ errors: editDistance(syllables, wanted), length: wanted.length, speaker }];
  });
  return { what: 'syllables with tone, of the characters heard', goal: 0.05, ...errorRate(counts) };
}
