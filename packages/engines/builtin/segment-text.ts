import { mean } from '@jyutsing/numeric/statistics';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Language, Segment, Word } from '@jyutsing/contracts/transcript';
import type { SpeechSegment } from '@jyutsing/audio/speech/segmenter';
import type { DecodedUnit } from './decoder/index.ts';

/**
 * Converts decoded units to a segment in recording time; null when there are none. Times are whole
 * milliseconds. Words are in order inside their segment, and the segment is inside its audio.
 */
export function toSegment(speech: SpeechSegment, units: readonly DecodedUnit[], language: Language): Segment | null {
  if (units.length === 0) return null;
  const firstMs = Math.ceil(speech.startMs);
  const lastMs = Math.floor(speech.startMs + (speech.samples.length * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ);
  const clamp = (timeMs: number) => Math.min(lastMs, Math.max(firstMs, Math.round(timeMs)));
  let reachedMs = firstMs;
  const words = units.map(({ text, reading, startMs, endMs, confidence }): Word => {
    // The last frame may reach past the sound, and rounding must not make neighbors overlap.
    const from = Math.max(reachedMs, clamp(speech.startMs + startMs));
    reachedMs = Math.max(from, clamp(speech.startMs + endMs));
    return { text, reading, startMs: from, endMs: reachedMs, confidence: Math.min(1, Math.max(0, confidence)) };
  });
  return {
    text: units.map(({ text }) => text).join(language === 'english' ? ' ' : ''),
    startMs: Math.min(clamp(speech.speechStartMs), words[0]?.startMs ?? lastMs),
    endMs: Math.max(clamp(speech.speechEndMs), reachedMs),
    words,
    speaker: null,
    confidence: mean(words.map((word) => word.confidence ?? 0)),
  };
}
