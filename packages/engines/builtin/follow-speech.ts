import type { SpeechFollower } from '@jyutsing/contracts/recognizer';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Language } from '@jyutsing/contracts/transcript';
import type { SpeechSegment } from '@jyutsing/audio/speech/segmenter';
import type { AsrModel } from './asr-model.ts';
import type { DecodedUnit } from './decoder/types.ts';
import { createGrowingPosteriors } from './growing-posteriors.ts';
import type { Listener } from './listener/listener.ts';
import { readPerson } from './read-person.ts';
import { toSegment } from './segment-text.ts';

/** Longer stretches are only decoded from a word on that has at least this many milliseconds … */
const DECODED_MS = 8_000;
/** … and this many after it. Words before it no longer change. */
const UNSETTLED_MS = 4_000;

/**
 * Follows a stretch of speech: the acoustic model runs on new sound only, the decoder on the last
 * seconds. The complete stretch is recognized as in a recording, in one go.
 */
export function followSpeech(
  { acoustic, decoder }: AsrModel,
  language: Language,
  listener: Listener | null = null,
): SpeechFollower {
  const posteriors = createGrowingPosteriors(acoustic);
  const { labels } = acoustic;
  const { frameMs } = labels;
  let settled: DecodedUnit[] = [];
  let fromFrame = 0;
  return {
    async update(samples, signal) {
      const present = await posteriors.update(samples, fromFrame);
      signal.throwIfAborted();
      const fromMs = fromFrame * frameMs;
      const units = decoder.decode(present).map((unit) => later(unit, fromMs));
      const segment = toSegment(wholeSpeech(samples), [...settled, ...units], language);
      const untilMs = fromMs + present.frameCount * frameMs - UNSETTLED_MS;
      if (present.frameCount * frameMs >= DECODED_MS) {
        const passed = units.filter(({ endMs }) => endMs <= untilMs);
        settled = [...settled, ...passed];
        fromFrame = Math.max(fromFrame, Math.floor((passed.at(-1)?.endMs ?? untilMs) / frameMs));
      }
      return segment;
    },
    async finish(samples, signal) {
      const complete = await acoustic.compute(samples);
      signal.throwIfAborted();
      const speech = wholeSpeech(samples);
      const read = await readPerson(listener, { speech, language, posteriors: complete, labels }, signal);
      return read === null ? toSegment(speech, decoder.decode(complete), language) : read.segment;
    },
  };
}

function wholeSpeech(samples: Float32Array): SpeechSegment {
  const speechEndMs = (samples.length * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;
  return { samples, startMs: 0, speechStartMs: 0, speechEndMs };
}

function later(unit: DecodedUnit, byMs: number): DecodedUnit {
  return { ...unit, startMs: unit.startMs + byMs, endMs: unit.endMs + byMs };
}
