import type {
  AssessedSyllable,
  AssessedWord,
  PronunciationAssessment,
  PronunciationAssessor,
  PronunciationTarget,
  SpeakerRegister,
  Strictness,
} from '@jyutsing/contracts/pronunciation';
import type { Language } from '@jyutsing/contracts/transcript';
import { readSpeech } from '@jyutsing/audio/speech/read-speech';
import type { VoiceModel } from '@jyutsing/audio/speech/voice-model';
import { readTarget } from '@jyutsing/text/pronunciation/read-target';

/** One recording and its text; `register`: of its speaker, where known. */
export type ScoreCall = {
  path: string;
  text: string;
  language: Language;
  strictness: Strictness;
  register: SpeakerRegister | null;
};

/** `target` has the usual reading of each unit, `assessment` the reading that was compared. */
export type ScoredRecording = { target: PronunciationTarget; assessment: PronunciationAssessment };

/** `voiceOf` tells speech from other sound. */
type ScoringMeans = { openAssessor: () => Promise<PronunciationAssessor>; voiceOf: VoiceModel };

/** Longest recording; usual ones are a sentence or two. */
export const MAX_SCORED_MS = 60_000;

/**
 * Scores one recording against its text. Reads the text first, so that an unreadable one is refused
 * without decoding. Throws `text_not_readable`, `corrupt_audio`, `empty_audio`, `audio_too_long`,
 * `no_speech`, `engine_failed`.
 */
export async function scoreRecording(
  { path, text, language, strictness, register }: ScoreCall,
  { openAssessor, voiceOf }: ScoringMeans,
  signal: AbortSignal,
): Promise<ScoredRecording> {
  const readText = await readTarget(text, language);
  const target = readText.language === 'cantonese' ? { ...readText, strictness } : readText;
  const { samples, startMs } = await readSpeech(path, { voiceOf, maxDurationMs: MAX_SCORED_MS, signal });
  const assessor = await openAssessor();
  return { target, assessment: shiftTimes(startMs, await assessor.assess(samples, target, signal, register)) };
}

type TimeSpan = { startMs: number | null; endMs: number | null };

/** Shifts the times of an assessment of trimmed audio to those of the recording. */
function shiftTimes(ms: number, assessment: PronunciationAssessment): PronunciationAssessment {
  const shiftTime = (time: number | null) => (time === null ? null : time + ms);
  const shift = ({ startMs, endMs }: TimeSpan) => ({ startMs: shiftTime(startMs), endMs: shiftTime(endMs) });
  const word = (assessed: AssessedWord): AssessedWord => ({
    ...assessed,
    ...shift(assessed),
    phonemes: assessed.phonemes.map((phoneme) => ({ ...phoneme, ...shift(phoneme) })),
  });
  const syllable = (assessed: AssessedSyllable): AssessedSyllable => ({ ...assessed, ...shift(assessed) });
  const insertions = assessment.insertions.map((inserted) => ({
    ...inserted,
    startMs: inserted.startMs + ms,
    endMs: inserted.endMs + ms,
  }));
  return assessment.language === 'english'
    ? { ...assessment, insertions, words: assessment.words.map(word) }
    : { ...assessment, insertions, syllables: assessment.syllables.map(syllable) };
}
