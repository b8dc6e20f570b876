import { AppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import type { VoiceProfile } from '@jyutsing/contracts/voice';
import { decodeAudio } from '#audio/decode.ts';
import { joinSamples } from '#audio/join-samples.ts';
import { segmentSpeech } from '#audio/speech/segmenter.ts';
import { resample } from '#audio/vocoder/resample.ts';
import { analyzeSpeech } from '#audio/vocoder/analyze-speech.ts';
import { measureFrames } from './measure-voice.ts';
import {
  clippedShare,
  MAX_CLIPPED_SHARE,
  MIN_SNR_DB,
  soundsLikeSpeech,
  snrDb,
  type SpeechTimes,
} from './sample-quality.ts';
import { encodeWav } from '#audio/wav.ts';

/** A sample that can be the reference of a voice. */
export type MeasuredSample = {
  profile: VoiceProfile;
  /** The sample without the silence around its speech: WAV, 24 kHz, mono, 16 bit. */
  wav: Uint8Array<ArrayBuffer>;
  /** Duration of `wav` in milliseconds. */
  durationMs: number;
};

const MIN_SAMPLE_MS = 3_000;
const MAX_SAMPLE_MS = 30_000;
/**
 * Tolerance for codec padding: a file of 30 s may decode to a little more, one of 3 s to a little
 * less.
 */
const DURATION_TOLERANCE_MS = 100;
/** Least speech needed to measure a voice. */
const MIN_SPEECH_MS = 2_000;
const MARGIN_MS = 100;
/** Level from which on samples count as the highest there are, after a codec. */
const FULL_SCALE = 0.98;

/** Reasons for refusing a sample, each with advice. */
const FAULTS = {
  'too-short': 'The sample is too short; record 3 to 30 seconds of one person speaking.',
  'too-long': 'The sample is too long; send at most 30 seconds of one person speaking.',
  'no-speech': 'No speech was found in the sample; record one person speaking for 3 to 30 seconds.',
  'too-little-speech': 'The sample has less than 2 seconds of speech; record one person speaking without long pauses.',
  distorted:
    'No clear speech was found in the sample, and much of it is as loud as can be; record one person speaking, at a lower level.',
  clipped: 'The sample is clipped; record it again at a lower level or farther from the microphone.',
  noisy: 'There is too much noise in the sample; record it again in a quiet room, close to the microphone.',
} as const;

/**
 * Decodes a recording, trims silence around its speech and measures the voice. Throws
 * `unsuitable_sample` with one sentence of advice when the sample cannot serve as a reference
 * voice, and the errors of `decodeAudio`.
 */
export async function measureVoiceSample(path: string, signal: AbortSignal): Promise<MeasuredSample> {
  const samples = await decodeSample(path, signal);
  const recordedMs = toMs(samples.length);
  if (recordedMs < MIN_SAMPLE_MS - DURATION_TOLERANCE_MS) throw unsuitable('too-short');
  const spans = await findSpeechTimes(samples, signal);
  const first = spans[0];
  const last = spans.at(-1);
  if (first === undefined || last === undefined) throw withoutSpeech(samples);
  const from = toSample(Math.max(0, first.startMs - MARGIN_MS));
  const trimmed = samples.subarray(from, toSample(last.endMs + MARGIN_MS));
  const frames = analyzeSpeech(trimmed, SYNTHESIS_SAMPLE_RATE_HZ);
  signal.throwIfAborted();
  if (!soundsLikeSpeech(frames)) throw withoutSpeech(samples);
  // A tone is near its highest level for much of the time; speech only when it was cut off.
  if (clippedShare(samples) > MAX_CLIPPED_SHARE) throw unsuitable('clipped');
  if (snrDb(samples, SYNTHESIS_SAMPLE_RATE_HZ, spans) < MIN_SNR_DB) throw unsuitable('noisy');
  if (spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) < MIN_SPEECH_MS) {
    throw unsuitable('too-little-speech');
  }
  return {
    profile: measureFrames(frames),
    wav: encodeWav(trimmed, SYNTHESIS_SAMPLE_RATE_HZ),
    durationMs: Math.round(toMs(trimmed.length)),
  };
}

async function decodeSample(path: string, signal: AbortSignal): Promise<Float32Array> {
  const pieces: Float32Array[] = [];
  let count = 0;
  const options = { sampleRateHz: SYNTHESIS_SAMPLE_RATE_HZ, maxDurationMs: 2 * MAX_SAMPLE_MS, signal };
  // Longer recordings are not decoded to their end: an hour of sound is refused as fast as a
  // minute.
  for await (const { samples } of decodeAudio(path, options)) {
    pieces.push(samples);
    count += samples.length;
    if (toMs(count) > MAX_SAMPLE_MS + DURATION_TOLERANCE_MS) throw unsuitable('too-long');
  }
  return joinSamples(pieces);
}

async function findSpeechTimes(samples: Float32Array, signal: AbortSignal): Promise<SpeechTimes[]> {
  const sound = resample(samples, SYNTHESIS_SAMPLE_RATE_HZ, RECOGNIZER_SAMPLE_RATE_HZ);
  const spans: SpeechTimes[] = [];
  const chunks = (async function* () {
    yield { samples: sound, sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, startMs: 0 };
  })();
  for await (const event of segmentSpeech(chunks, signal)) {
    if (event.type !== 'segment') continue;
    spans.push({ startMs: event.segment.speechStartMs, endMs: event.segment.speechEndMs });
  }
  return spans;
}

const toMs = (samples: number) => (samples * 1_000) / SYNTHESIS_SAMPLE_RATE_HZ;
const toSample = (ms: number) => Math.round((ms * SYNTHESIS_SAMPLE_RATE_HZ) / 1_000);

/** Speech that was recorded far too loud is not recognized as such. */
function withoutSpeech(samples: Float32Array): AppError {
  const isLoud = samples.some((sample) => Math.abs(sample) >= FULL_SCALE);
  return unsuitable(isLoud && clippedShare(samples) > MAX_CLIPPED_SHARE ? 'distorted' : 'no-speech');
}

function unsuitable(fault: keyof typeof FAULTS): AppError {
  return new AppError('unsuitable_sample', FAULTS[fault]);
}
