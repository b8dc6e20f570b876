import { segmentSpeech } from '@jyutsing/audio/speech/segmenter';
import { toAppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Language } from '@jyutsing/contracts/transcript';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { asChunks, readSamples } from './sound.ts';

/** Limits the clips of one recording, so that a long one does not dominate its set. */
const MAX_CLIPS_PER_RECORDING = 3;
/** Enough audio for that many clips, including pauses. */
const MAX_SECONDS_READ = 300;

type ClipStep =
  | { type: 'clip'; index: number; samples: Float32Array }
  | { type: 'failed'; index: number; reason: string }
  | { type: 'done'; index: number };

/**
 * Cuts clips of exactly `clipSeconds` from recordings, starting at the first speech, at most three
 * per recording. Shorter recordings (words, syllables) are joined with the next ones by the same
 * speaker in the same language; `index` is then the recording that completed the clip. Short
 * recordings of an unknown speaker give no clip. With `wholeFromSeconds`, a shorter recording with
 * at least that much speech is a clip as it is.
 */
export async function* cutClips(
  recordings: readonly { path: string; language: Language; speaker: string | null }[],
  clipSeconds: number,
  wholeFromSeconds = Infinity,
): AsyncGenerator<ClipStep> {
  const clipLength = Math.round(clipSeconds * RECOGNIZER_SAMPLE_RATE_HZ);
  const waiting = new Map<string, Float32Array>();
  for (const [index, { path, language, speaker }] of recordings.entries()) {
    try {
      const speech = await speechOf(await readSamples(path, MAX_SECONDS_READ));
      const count = Math.min(MAX_CLIPS_PER_RECORDING, Math.floor(speech.length / clipLength));
      for (let i = 0; i < count; i += 1) {
        yield { type: 'clip', index, samples: speech.slice(i * clipLength, (i + 1) * clipLength) };
      }
      if (count === 0 && speech.length >= wholeFromSeconds * RECOGNIZER_SAMPLE_RATE_HZ) {
        yield { type: 'clip', index, samples: speech };
      } else if (count === 0 && speaker !== null) {
        const key = `${language} ${speaker}`;
        const joined = joinSamples([waiting.get(key) ?? new Float32Array(0), speech]);
        const isFull = joined.length >= clipLength;
        if (isFull) yield { type: 'clip', index, samples: joined.slice(0, clipLength) };
        waiting.set(key, isFull ? joined.slice(clipLength) : joined);
      }
    } catch (thrown) {
      yield { type: 'failed', index, reason: toAppError(thrown).message };
    }
    yield { type: 'done', index };
  }
}

/** Samples from the first speech segment to the end of the last; empty without speech. */
export async function speechOf(samples: Float32Array): Promise<Float32Array> {
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
