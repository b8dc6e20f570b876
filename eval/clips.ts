import { segmentSpeech } from '@jyutsing/audio/speech/segmenter';
import { toAppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Language } from '@jyutsing/contracts/transcript';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { asChunks, readSamples } from './sound.ts';

/** One long recording must not outweigh all others of a set. */
const MOST_CLIPS_OF_A_RECORDING = 3;
/** Enough to find that many clips of speech, pauses before and between them included. */
const MOST_SECONDS_READ = 300;

export type ClipStep =
  | { type: 'clip'; index: number; samples: Float32Array }
  | { type: 'failed'; index: number; reason: string }
  | { type: 'listened'; index: number };

/**
 * Cuts clips of exactly `clipSeconds` out of recordings: from where speech begins to where it ends, one after another, three of a
 * recording at most. What is shorter, as single words and syllables are, is joined with the next recordings of the same
 * speaker in the same language; `index` is that of the recording with which a clip became full. A short recording of
 * an unknown speaker gives none.
 */
export async function* cutClips(
  recordings: readonly { path: string; language: Language; speaker: string | null }[],
  clipSeconds: number,
): AsyncGenerator<ClipStep> {
  const clipLength = Math.round(clipSeconds * RECOGNIZER_SAMPLE_RATE_HZ);
  const waiting = new Map<string, Float32Array>();
  for (const [index, { path, language, speaker }] of recordings.entries()) {
    try {
      const speech = await readSpeech(path);
      const count = Math.min(MOST_CLIPS_OF_A_RECORDING, Math.floor(speech.length / clipLength));
      for (let i = 0; i < count; i += 1) {
        yield { type: 'clip', index, samples: speech.slice(i * clipLength, (i + 1) * clipLength) };
      }
      if (count === 0 && speaker !== null) {
        const key = `${language} ${speaker}`;
        const joined = joinSamples([waiting.get(key) ?? new Float32Array(0), speech]);
        const isFull = joined.length >= clipLength;
        if (isFull) yield { type: 'clip', index, samples: joined.slice(0, clipLength) };
        waiting.set(key, isFull ? joined.slice(clipLength) : joined);
      }
    } catch (thrown) {
      yield { type: 'failed', index, reason: toAppError(thrown).message };
    }
    yield { type: 'listened', index };
  }
}

/** From the beginning of the first stretch of speech to the end of the last; empty where there is none. */
async function readSpeech(path: string): Promise<Float32Array> {
  const samples = await readSamples(path, MOST_SECONDS_READ);
  let from = Infinity;
  let to = 0;
  for await (const event of segmentSpeech(asChunks(samples), new AbortController().signal)) {
    if (event.type !== 'segment') continue;
    const startSample = Math.round((event.segment.startMs * RECOGNIZER_SAMPLE_RATE_HZ) / 1_000);
    from = Math.min(from, startSample);
    to = startSample + event.segment.samples.length;
  }
  return samples.slice(Math.min(from, to), to);
}
