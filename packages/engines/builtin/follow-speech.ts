import type { SpeechFollower } from '@jyutsing/contracts/recognizer';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Language, Segment } from '@jyutsing/contracts/transcript';
import type { SpeechSegment } from '@jyutsing/audio/speech/segmenter';
import { isVoiceKnown, type AsrModel } from './asr-model.ts';
import type { DecodedUnit } from './decoder/types.ts';
import { createGrowingPosteriors } from './growing-posteriors.ts';
import type { Listener } from './listener/listener.ts';
import { toReadSegment, toSegment } from './segment-text.ts';

/** Longer stretches are only decoded from a word on that has at least this many milliseconds … */
const DECODED_MS = 8_000;
/** … and this many after it. Words before it no longer change. */
const UNSETTLED_MS = 4_000;

/**
 * Follows a stretch of speech: the acoustic model runs on new sound only, the decoder on the last
 * seconds. The complete stretch is recognized as in a recording, in one go.
 */
export function followSpeech({ acoustic, decoder }: AsrModel, language: Language): SpeechFollower {
  const posteriors = createGrowingPosteriors(acoustic);
  const { frameMs } = acoustic.labels;
  let settled: DecodedUnit[] = [];
  let fromFrame = 0;
  return {
    async update(samples, signal) {
      const present = await posteriors.update(samples, fromFrame);
      signal.throwIfAborted();
      const fromMs = fromFrame * frameMs;
      const units = decoder.decode(present).map((unit) => later(unit, fromMs));
      const segment = segmentOf(samples, [...settled, ...units], language);
      const untilMs = fromMs + present.frameCount * frameMs - UNSETTLED_MS;
      if (present.frameCount * frameMs >= DECODED_MS) {
        const passed = units.filter(({ endMs }) => endMs <= untilMs);
        settled = [...settled, ...passed];
        fromFrame = Math.max(fromFrame, Math.floor((passed.at(-1)?.endMs ?? untilMs) / frameMs));
      }
      return segment;
    },
    async finish(samples, signal) {
      const completePosteriors = await acoustic.compute(samples);
      signal.throwIfAborted();
      return segmentOf(samples, decoder.decode(completePosteriors), language);
    },
  };
}

/**
 * Follows a stretch of speech with `follower`, and reads the complete one of a person with the
 * listener.
 */
export function readInTheEnd(
  follower: SpeechFollower,
  { acoustic }: AsrModel,
  listener: Listener,
  language: Language,
): SpeechFollower {
  return {
    update: follower.update,
    async finish(samples, signal) {
      if (isVoiceKnown(await acoustic.compute(samples), acoustic.labels)) return follower.finish(samples, signal);
      const { words, isTrusted, isSilent } = await listener.read(samples, language, signal);
      if (isSilent) return null;
      const segment = isTrusted ? await toReadSegment(wholeSpeech(samples), words, language) : null;
      return segment ?? follower.finish(samples, signal);
    },
  };
}

function segmentOf(samples: Float32Array, units: readonly DecodedUnit[], language: Language): Segment | null {
  return toSegment(wholeSpeech(samples), units, language);
}

function wholeSpeech(samples: Float32Array): SpeechSegment {
  const speechEndMs = (samples.length * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;
  return { samples, startMs: 0, speechStartMs: 0, speechEndMs };
}

function later(unit: DecodedUnit, byMs: number): DecodedUnit {
  return { ...unit, startMs: unit.startMs + byMs, endMs: unit.endMs + byMs };
}
