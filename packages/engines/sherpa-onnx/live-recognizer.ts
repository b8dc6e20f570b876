import type { Recognizer, SpeechFollower } from '@jyutsing/contracts/recognizer';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Language } from '@jyutsing/contracts/transcript';
import { recognizeSegments } from '@jyutsing/audio/speech/recognize-segments';
import type { SpeechDetector } from '@jyutsing/audio/speech/speech-detector';
import type { LiveModel } from './live-models.ts';
import { openNativeLive, type NativeLiveRecognizer } from './native-live.ts';
import type { Punctuator } from './punctuation.ts';
import { withoutTags } from './pieces.ts';
import { toSegment } from './segment-text.ts';
import type { Compute } from './variables.ts';

type LiveRecognizerParts = {
  /** Called once. */
  openPunctuator: () => Promise<Punctuator | null>;
  /** Creates the detector for a recording. */
  createDetector: () => Promise<SpeechDetector>;
};

/** Opens a streaming model, for live speech and for recordings. */
export async function openLiveRecognizer(
  model: LiveModel,
  folder: string,
  compute: Compute,
  { openPunctuator, createDetector }: LiveRecognizerParts,
): Promise<Recognizer> {
  const native = await openNativeLive(model, folder, compute);
  const punctuator = await openPunctuator();
  const rules = { hasWordTimes: model.hasTimes, isGenerative: false, punctuator };
  return {
    concurrency: 1,
    follow: async ({ language }) => followSpeech(native, language, rules),
    recognize: (audio, { language }, signal) =>
      recognizeSegments(
        audio,
        async (speech) => {
          const utterance = native.begin();
          utterance.append(speech.samples);
          const raw = utterance.end();
          return { recognized: toSegment(speech, raw, language, rules), writtenText: withoutTags(raw.text) };
        },
        signal,
        { createDetector, language },
      ),
    async close() {
      native.close();
    },
  };
}

/** Follows growing speech: the model only gets new sound, and its text grows with it. */
function followSpeech(
  native: NativeLiveRecognizer,
  language: Language,
  rules: Parameters<typeof toSegment>[3],
): SpeechFollower {
  let utterance = native.begin();
  let takenSamples = 0;
  const take = (samples: Float32Array) => {
    const raw = utterance.append(samples.subarray(takenSamples));
    takenSamples = samples.length;
    return raw;
  };
  const segmentOf = (samples: Float32Array, raw: ReturnType<typeof take>, punctuator: Punctuator | null) => {
    const endMs = (samples.length * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;
    const speech = { samples, startMs: 0, speechStartMs: 0, speechEndMs: endMs };
    return toSegment(speech, raw, language, { ...rules, punctuator });
  };
  return {
    // Punctuation depends on the following words, so only the whole stretch gets it from the
    // punctuation model.
    update: async (samples) => segmentOf(samples, take(samples), null),
    async finish(samples) {
      if (samples.length < takenSamples) {
        utterance = native.begin();
        takenSamples = 0;
      }
      take(samples);
      return segmentOf(samples, utterance.end(), rules.punctuator);
    },
  };
}
