import { mean } from '@jyutsing/numeric/statistics';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Language, Segment, Word } from '@jyutsing/contracts/transcript';
import type { SpeechSegment } from '@jyutsing/audio/speech/segmenter';
import { joinWords } from '@jyutsing/text/join-words';

/**
 * Converts decoded units to a segment in recording time; null when there are none. Times are whole
 * milliseconds. Words are in order inside their segment, and the segment is inside its audio.
 */
export function toSegment(speech: SpeechSegment, units: readonly TimedUnit[], language: Language): Segment | null {
  if (units.length === 0) return null;
  const texts = units.map((unit) => unit.text);
  const text = language === 'english' ? texts.join(' ') : joinWords(texts);
  return segmentOf(speech, text, inRecording(speech, units));
}

/**
 * Converts a text that was read with its punctuation to a segment in recording time; null when
 * there are no words. The tables of scripts are loaded when they are first needed.
 */
export async function toReadSegment(
  speech: SpeechSegment,
  read: readonly TimedUnit[],
  language: Language,
): Promise<Segment | null> {
  const { finishText } = await import('@jyutsing/text/finish-text');
  const { text, words } = finishText(inRecording(speech, read), language);
  return words.length === 0 ? null : segmentOf(speech, text, words);
}

/** A word with its time in milliseconds from the first sample. */
export type TimedUnit = Pick<Word, 'text' | 'reading' | 'startMs' | 'endMs' | 'confidence'>;

/**
 * Moves units to recording time: the last frame may reach past the sound, and rounding must not
 * make neighbors overlap.
 */
function inRecording(speech: SpeechSegment, units: readonly TimedUnit[]): Word[] {
  const clamp = clampTo(speech);
  let reachedMs = -Infinity;
  return units.map(({ text, reading, startMs, endMs, confidence }): Word => {
    const from = Math.max(reachedMs, clamp(speech.startMs + startMs));
    reachedMs = Math.max(from, clamp(speech.startMs + endMs));
    return { text, reading, startMs: from, endMs: reachedMs, confidence: Math.min(1, Math.max(0, confidence ?? 0)) };
  });
}

function segmentOf(speech: SpeechSegment, text: string, words: Word[]): Segment {
  const clamp = clampTo(speech);
  const { speechStartMs, speechEndMs } = speech;
  return {
    text,
    startMs: Math.min(clamp(speechStartMs), words[0]?.startMs ?? Infinity),
    endMs: Math.max(clamp(speechEndMs), words.at(-1)?.endMs ?? -Infinity),
    words,
    speaker: null,
    confidence: mean(words.map((word) => word.confidence ?? 0)),
  };
}

/** Rounds a time to whole milliseconds within the sound. */
function clampTo({ startMs, samples }: SpeechSegment): (timeMs: number) => number {
  const firstMs = Math.ceil(startMs);
  const lastMs = Math.floor(startMs + (samples.length * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ);
  return (timeMs) => Math.min(lastMs, Math.max(firstMs, Math.round(timeMs)));
}
