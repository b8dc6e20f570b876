import type { SpeechFollower } from '@jyutsing/contracts/recognizer';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Language } from '@jyutsing/contracts/transcript';
import type { SpeechSegment } from '@jyutsing/audio/speech/segmenter';
import type { AsrModel } from './asr-model.ts';
import { createGrowingPosteriors } from './growing-posteriors.ts';
import type { Listener } from './listener/listener.ts';
import { readPerson, readWords } from './read-person.ts';
import { toReadSegment, toSegment, type TimedUnit } from './segment-text.ts';

/** Longer stretches are only decoded from a word on that has at least this many milliseconds … */
const DECODED_MS = 8_000;
/** … and this many after it. Words before it no longer change. */
const UNSETTLED_MS = 4_000;

/**
 * Follows a stretch of speech: the acoustic model runs on new sound only, the decoder or, for a
 * person, the listener on the last seconds. The complete stretch is recognized as in a recording,
 * in one go.
 */
export function followSpeech(
  { acoustic, decoder }: AsrModel,
  language: Language,
  listener: Listener | null = null,
): SpeechFollower {
  const growing = createGrowingPosteriors(acoustic);
  const { labels } = acoustic;
  const { frameMs } = labels;
  let settled: TimedUnit[] = [];
  let fromFrame = 0;
  let isPerson = false;
  return {
    async update(samples, signal) {
      const posteriors = await growing.update(samples, fromFrame);
      signal.throwIfAborted();
      const fromMs = fromFrame * frameMs;
      const unsettled = samples.subarray((fromMs * RECOGNIZER_SAMPLE_RATE_HZ) / 1_000);
      const read = await readWords(listener, { samples: unsettled, language, posteriors, labels }, signal);
      isPerson ||= read !== null;
      const units = (read?.words ?? decoder.decode(posteriors)).map((unit) => later(unit, fromMs));
      const untilMs = fromMs + posteriors.frameCount * frameMs - UNSETTLED_MS;
      const speech = wholeSpeech(samples);
      const all = [...settled, ...units];
      if (posteriors.frameCount * frameMs >= DECODED_MS) {
        const passed = units.filter(({ endMs }) => endMs <= untilMs);
        settled = [...settled, ...passed];
        fromFrame = Math.max(fromFrame, Math.floor((passed.at(-1)?.endMs ?? untilMs) / frameMs));
      }
      return isPerson ? toReadSegment(speech, all, language) : toSegment(speech, all, language);
    },
    async finish(samples, signal) {
      const posteriors = await acoustic.compute(samples);
      signal.throwIfAborted();
      const speech = wholeSpeech(samples);
      const read = await readPerson(listener, { speech, language, posteriors, labels }, signal);
      return read === null ? toSegment(speech, decoder.decode(posteriors), language) : read.segment;
    },
  };
}

function wholeSpeech(samples: Float32Array): SpeechSegment {
  const speechEndMs = (samples.length * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;
  return { samples, startMs: 0, speechStartMs: 0, speechEndMs };
}

function later(unit: TimedUnit, byMs: number): TimedUnit {
  return { ...unit, startMs: unit.startMs + byMs, endMs: unit.endMs + byMs };
}
