import type {
  AssessedSyllable,
  AssessedWord,
  PronunciationAssessment,
  PronunciationAssessor,
  PronunciationTarget,
} from '@jyutsing/contracts/pronunciation';
import type { Language } from '@jyutsing/contracts/transcript';
import { readSpeech } from '@jyutsing/audio/speech/read-speech';
import { readTarget } from '@jyutsing/text/pronunciation/read-target';

/** A recording of one text. */
export type ScoreCall = { path: string; text: string; language: Language };

/** What became of a recording, and the text as it was read: an assessment tells the judged reading of a unit, the target the usual one. */
export type ScoredRecording = { target: PronunciationTarget; assessment: PronunciationAssessment };

/** Recordings that are scored are a sentence or two. */
export const MAX_SCORED_MS = 60_000;

/**
 * Scores one recording against its text. The text is read first: what is wrong with it is told without a look at the sound. Throws
 * `text_not_readable`, `corrupt_audio`, `empty_audio`, `audio_too_long`, `no_speech`, `engine_failed`.
 */
export async function scoreRecording(
  { path, text, language }: ScoreCall,
  openAssessor: () => Promise<PronunciationAssessor>,
  signal: AbortSignal,
): Promise<ScoredRecording> {
  const target = await readTarget(text, language);
  const { samples, startMs } = await readSpeech(path, { maxDurationMs: MAX_SCORED_MS, signal });
  const assessor = await openAssessor();
  return { target, assessment: laterBy(startMs, await assessor.assess(samples, target, signal)) };
}

type Place = { startMs: number | null; endMs: number | null };

/** What was assessed without the silence before it, with times that count from the start of the recording. */
function laterBy(ms: number, assessment: PronunciationAssessment): PronunciationAssessment {
  const later = (time: number | null) => (time === null ? null : time + ms);
  const place = ({ startMs, endMs }: Place) => ({ startMs: later(startMs), endMs: later(endMs) });
  const word = (each: AssessedWord): AssessedWord => ({
    ...each,
    ...place(each),
    phonemes: each.phonemes.map((phoneme) => ({ ...phoneme, ...place(phoneme) })),
  });
  const syllable = (each: AssessedSyllable): AssessedSyllable => ({ ...each, ...place(each) });
  return assessment.language === 'english'
    ? { ...assessment, words: assessment.words.map(word) }
    : { ...assessment, syllables: assessment.syllables.map(syllable) };
}
