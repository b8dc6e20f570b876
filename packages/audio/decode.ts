import type { Frame } from 'node-av/lib';
import type { PcmChunk, SoundTrack } from '@jyutsing/contracts/audio';
import { AppError } from '@jyutsing/contracts/errors';
import { audioTooLong } from './audio-too-long.ts';
import { lackOfSound, type AudioInput } from './av-input.ts';
import { decodeFrames } from './frames.ts';
import { mixTracks } from './mix-tracks.ts';
import { createMixer, type Mixer } from './mixer.ts';
import { openAudioInputs } from './open-tracks.ts';
import { RecordingClock } from './recording-clock.ts';

type ChunkOptions = {
  sampleRateHz: number;
  signal: AbortSignal;
  /** Length of the output chunks; the last may be shorter. */
  chunkMs?: number;
  /** True for sound that arrives in parts. */
  isStream?: boolean;
  /** The only channel to decode, from 0, counted over all tracks in use; absent: all are mixed. */
  channel?: number | undefined;
};

type DecodeOptions = ChunkOptions & {
  /**
   * Upper limit in milliseconds; a longer recording ends with `audio_too_long`, whatever its header
   * declares.
   */
  maxDurationMs: number;
};

const CHUNK_MS = 500;
/** Sound that arrives live cannot wait for what comes after it. */
const STEREO_LOOKAHEAD_MS = 2_000;

/** Samples of a file that are mixed together. */
const SAMPLES_AT_A_TIME = 8_192;

/**
 * A header that declares more sound means a truncated file. Encoder delay, padding and rounding to
 * whole frames stay under 250 ms; the relative part allows for headers with a rounded bit rate.
 */
const MISSING_TOLERANCE_MS = 250;
const MISSING_TOLERANCE_SHARE = 0.001;

type DecodedInput = Parameters<typeof decodeFrames>[0] & Pick<AudioInput, 'openNextLink'>;

/** The facts that are known when the last chunk was read. */
export type DecodedEnd = {
  /** Whether the recording goes on in the original: the file ends too early. */
  isCutOff: boolean;
  /** The sound tracks of the file in their order. */
  tracks: readonly SoundTrack[];
};

/**
 * Decodes a file to mono chunks in order, without gaps, from 0 ms on, in constant memory. Times
 * count from the start of the file: where its sound begins later or pauses, it is silent. Throws
 * `unsupported_audio_format`, `corrupt_audio`, `empty_audio` when nothing was decoded,
 * `audio_too_long`; an aborted signal throws its reason.
 */
export async function* decodeAudio(path: string, options: DecodeOptions): AsyncGenerator<PcmChunk, DecodedEnd> {
  options.signal.throwIfAborted();
  const opened = await openAudioInputs(path, options.signal);
  const { inputs, channel } = select(opened, options.channel);
  try {
    const clocks = inputs.map(({ clockStart }) => new RecordingClock(clockStart));
    let sampleCount = 0;
    const tracks = inputs.map((input, at) => decodeToChunks(input, clocks[at]!, { ...options, channel }));
    for await (const samples of mixTracks(tracks, { ...options, lookaheadMs: STEREO_LOOKAHEAD_MS })) {
      const startMs = (sampleCount * 1_000) / options.sampleRateHz;
      if (startMs > options.maxDurationMs) throw audioTooLong(options.maxDurationMs);
      yield {
        samples,
        sampleRateHz: options.sampleRateHz,
        startMs,
        gapMs: Math.min(...clocks.map((clock) => clock.gapMs)),
      };
      sampleCount += samples.length;
      options.signal.throwIfAborted();
    }
    if (sampleCount === 0) {
      // Some samples are too few for the filters.
      const isDecoded = clocks.some(({ positionMs }) => positionMs > 0);
      throw isDecoded ? new AppError('empty_audio') : lackOfSound(opened[0]);
    }
    const isShort = inputs.some((input, at) => isCutOff(input, clocks[at]?.lastMs ?? 0));
    return { isCutOff: isShort, tracks: opened[0].tracks };
  } finally {
    for (const input of opened) input.close();
  }
}

/** Counts the channels of all tracks in use. Throws the errors of `decodeAudio`. */
export async function countChannels(path: string): Promise<number> {
  const inputs = await openAudioInputs(path);
  for (const input of inputs) input.close();
  return inputs.reduce((count, { channels }) => count + channels, 0);
}

/** Returns the input that has a channel, and its number in it; all inputs without a number. */
function select(inputs: readonly AudioInput[], channel: number | undefined) {
  let number = channel ?? 0;
  if (channel === undefined) return { inputs, channel };
  for (const input of inputs) {
    if (number < input.channels) return { inputs: [input], channel: number };
    number -= input.channels;
  }
  throw new AppError('internal_error', undefined, { cause: `the file has no channel ${channel}` });
}

/** The last time that was reached decides where the header declares the end of the sound. */
function isCutOff(input: AudioInput, lastMs: number): boolean {
  const missingMs = (input.declaredDurationMs ?? 0) - lastMs;
  const isShort = missingMs > MISSING_TOLERANCE_MS + lastMs * MISSING_TOLERANCE_SHARE;
  return isShort || input.isCutOff || input.hasReadErrors();
}

/** Decodes to mono samples of −1..1. */
export async function* decodeToChunks(
  input: DecodedInput,
  clock: RecordingClock,
  { sampleRateHz, signal, chunkMs = CHUNK_MS, isStream = false, channel }: ChunkOptions,
): AsyncGenerator<Float32Array> {
  const mixer = createMixer(sampleRateHz, {
    lookaheadMs: isStream ? 0 : STEREO_LOOKAHEAD_MS,
    samplesAtATime: isStream ? 1 : SAMPLES_AT_A_TIME,
    channel,
  });
  const chunkLength = Math.round((sampleRateHz * chunkMs) / 1_000);
  // Allocate a new array for each chunk: the consumer may keep it, and its size is bounded.
  let chunk = new Float32Array(chunkLength);
  let filled = 0;
  function* fill(samples: Float32Array): Generator<Float32Array> {
    for (let at = 0; at < samples.length;) {
      const take = Math.min(samples.length - at, chunkLength - filled);
      chunk.set(samples.subarray(at, at + take), filled);
      at += take;
      filled += take;
      if (filled === chunkLength) {
        const full = chunk;
        chunk = new Float32Array(chunkLength);
        filled = 0;
        yield sanitize(full);
      }
    }
  }
  try {
    for await (const samples of linkedSamples(input, { clock, signal, isStream }, mixer)) yield* fill(samples);
    yield* fill(mixer.flush());
    if (filled > 0) yield sanitize(chunk.slice(0, filled));
  } finally {
    mixer.close();
  }
}

/** Yields the samples of a file: those of the first recording in it, and of others that follow. */
async function* linkedSamples(
  input: DecodedInput,
  options: Parameters<typeof decodeFrames>[1],
  mixer: Mixer,
): AsyncGenerator<Float32Array> {
  const mix = (frame: Frame, samples: number) => {
    const mixed = mixer.push(frame, samples);
    return mixed.length > 0 ? mixed : null;
  };
  yield* decodeFrames(input, options, mix);
  let link = (await input.openNextLink?.()) ?? null;
  while (link !== null) {
    const present: AudioInput = link;
    try {
      options.clock.continueWith(present.clockStart);
      yield* decodeFrames(present, options, mix);
      link = (await present.openNextLink?.()) ?? null;
    } finally {
      present.close();
    }
  }
}

/** Replaces NaN with silence and clips to full scale, because float files may contain any value. */
function sanitize(samples: Float32Array): Float32Array {
  // To look for the loudest takes half the time of a decision for each.
  if (loudestOf(samples) <= 1) return samples;
  for (let i = 0; i < samples.length; i += 1) {
    const sample = samples[i]!;
    if (!(sample >= -1 && sample <= 1)) samples[i] = sample > 1 ? 1 : sample < -1 ? -1 : 0;
  }
  return samples;
}

/** Returns the greatest magnitude; NaN if any sample is. */
function loudestOf(samples: Float32Array): number {
  let loudest = 0;
  for (let i = 0; i < samples.length; i += 1) loudest = Math.max(loudest, Math.abs(samples[i]!));
  return loudest;
}
