import type { LiveRecognition } from '@jyutsing/contracts/live-recognition';
import type { Recognizer } from '@jyutsing/contracts/recognizer';
import type { Segment } from '@jyutsing/contracts/transcript';
import { recognizeSegments } from '@jyutsing/audio/speech/recognize-segments';
import { recognizeLiveWith } from '#test/live-here.ts';

const TEXT = '一二三四五六七八九十';
const CHARACTER_MS = 250;

/** Writes the next numeral for every quarter of a second of speech. */
export const COUNTING_RECOGNIZER: Recognizer = {
  concurrency: 1,
  follow: null,
  recognize: (audio, _options, signal) =>
    recognizeSegments(
      audio,
      async ({ speechStartMs, speechEndMs }) => {
        const count = Math.max(1, Math.round((speechEndMs - speechStartMs) / CHARACTER_MS));
        const characters = Array.from({ length: count }, (_, index) => TEXT[index % TEXT.length]!);
        return segmentOf(characters, speechStartMs, speechEndMs);
      },
      signal,
    ),
  async close() {},
};

/** Live recognition with real voice activity and the counting recognizer. */
export function recognizeLiveHere(): LiveRecognition {
  return recognizeLiveWith(COUNTING_RECOGNIZER);
}

function segmentOf(characters: readonly string[], startMs: number, endMs: number): Segment {
  const step = (endMs - startMs) / characters.length;
  const words = characters.map((text, index) => ({
    text,
    reading: null,
    startMs: Math.round(startMs + index * step),
    endMs: Math.round(startMs + (index + 1) * step),
    confidence: 0.9,
  }));
  return { text: characters.join(''), startMs, endMs, words, speaker: null, confidence: 0.9 };
}
