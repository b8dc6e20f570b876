import type { Language } from '@jyutsing/contracts/transcript';
import { textToJyutping } from '@jyutsing/text/readings/text-to-jyutping';
import { evaluateStt, type SttRow } from '../evaluate-stt.ts';
import { findSubjects, type Subject } from '../models.ts';
import type { EvaluationSet } from '../read-set.ts';
import { editDistance, errorRate, type ErrorRate } from '../score.ts';
import type { EngineLocation } from '../tasks.ts';
import { alignTokens } from './align-tokens.ts';
import { withClarityJudges } from './clarity-judges.ts';
import { countConfusions, errorsByVoice, type Confusion, type VoiceErrors } from './confusions.ts';

/** One intelligibility figure of synthetic speech; rates are 0..1. */
export type IntelligibilityRow = { language: Language; by: string; what: string; goal: number | null } & ErrorRate;

/** The sounds that the acoustic model alone misrecognizes; Chinese only. */
export type Misrecognized = { language: Language; confusions: Confusion[]; voices: VoiceErrors[] };

/**
 * Recognizes speech with the built-in recognizer: acoustic model alone, and with its decoder, which
 * takes minutes for speech of people that the model does not understand. Chinese is judged by
 * acoustic models that have not heard our voices.
 */
export function measureIntelligibility(
  set: EvaluationSet & { language: Language },
  place: EngineLocation,
  onProgress: (count: number) => void,
  by: 'both' | 'acoustic model' = 'both',
): Promise<Intelligibility> {
  return withClarityJudges(place, (judges) => measureBy(set, judges, onProgress, by));
}

type Intelligibility = { rows: IntelligibilityRow[]; misrecognized: Misrecognized | null };

async function measureBy(
  set: EvaluationSet & { language: Language },
  place: EngineLocation,
  onProgress: (count: number) => void,
  by: 'both' | 'acoustic model',
): Promise<Intelligibility> {
  const { language } = set;
  const { subjects } = await findSubjects(place, ['builtin']);
  const figures: IntelligibilityRow[] = [];
  let misrecognized: Misrecognized | null = null;
  const isAsked = (subject: Subject) => by === 'both' || subject.by === 'units';
  for (const subject of subjects.filter((candidate) => candidate.languages.includes(language) && isAsked(candidate))) {
    const row = await evaluateStt(set, subject, place, onProgress);
    if (row.failure !== null) throw new Error(`${subject.name} on ${set.name}: ${row.failure}`);
    const recognizedBy = subject.by === 'units' ? 'acoustic model alone' : 'recognizer';
    figures.push(
      ...row.errors.map((error) => ({ language, by: recognizedBy, goal: goalOf(language, error.what), ...error })),
    );
    if (language !== 'english' && subject.by === 'units') {
      figures.push({ language, by: recognizedBy, ...wrongTones(row) });
      misrecognized = { language, confusions: countConfusions(row.details), voices: errorsByVoice(row.details) };
    }
    if (language === 'cantonese' && subject.by === 'text')
      figures.push({ language, by: recognizedBy, ...wrongSyllables(row, set) });
  }
  return { rows: figures, misrecognized };
}

function goalOf(language: Language, what: string): number | null {
  if (language === 'english') return what === 'phones' ? 0.1 : null;
  return what === 'syllables without tone' ? 0.05 : null;
}

const withoutTone = (syllable: string) => syllable.slice(0, -1);

/** Tone errors among syllables recognized with the right onset and rime. */
function wrongTones(row: SttRow) {
  const counts = row.details.map(({ expected, recognized, speaker }) => {
    const pairs = alignTokens(expected.split(' '), recognized.split(' ').filter(Boolean), withoutTone);
    const errors = pairs.filter(([a, b]) => a !== b).length;
    return { errors, length: pairs.length, speaker };
  });
  return { what: 'tones, of syllables otherwise right', goal: 0.05, ...errorRate(counts) };
}

/** Errors of the readings of recognized characters, so that homophones do not count as errors. */
function wrongSyllables(row: SttRow, set: EvaluationSet) {
  const unitsAt = new Map(set.items.map(({ path, units }) => [path, units]));
  const counts = row.details.flatMap(({ file, recognized, speaker }) => {
    const reference = unitsAt.get(file) ?? null;
    if (reference === null) return [];
    const syllables = textToJyutping(recognized).flatMap(({ jyutping }) => jyutping ?? []);
    return [{ errors: editDistance(syllables, reference), length: reference.length, speaker }];
  });
  return { what: 'syllables with tone, of recognized characters', goal: 0.05, ...errorRate(counts) };
}
