import { AppError, toAppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { decodeAudio } from '#audio/decode.ts';
import { joinSamples } from '#audio/join-samples.ts';
import { findSpeech } from './find-speech.ts';
import type { VoiceModel } from './voice-model.ts';

/** Speech of a recording, and the time at which the samples begin. */
type ReadSpeech = { samples: Float32Array; startMs: number };

type ReadSpeechOptions = { voiceOf: VoiceModel; maxDurationMs: number; signal: AbortSignal };

/** Encoders pad the last frame: a recording exactly at the limit comes out slightly longer. */
const PADDING_MS = 150;

/**
 * Reads the speech of a short recording as mono audio at 16 kHz, trimming longer silence at both
 * ends, which would only cost time. Throws `corrupt_audio` for undecodable files, `empty_audio`,
 * `audio_too_long`, and `no_speech` for silence, noise and music.
 */
export async function readSpeech(path: string, options: ReadSpeechOptions): Promise<ReadSpeech> {
  const samples = await readAll(path, options);
  const span = await findSpeech(samples, options.voiceOf);
  options.signal.throwIfAborted();
  if (span === null) throw new AppError('no_speech');
  const { startSample, endSample } = span;
  return {
    samples: startSample === 0 && endSample === samples.length ? samples : samples.slice(startSample, endSample),
    startMs: (startSample * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ,
  };
}

async function readAll(path: string, { maxDurationMs, signal }: ReadSpeechOptions): Promise<Float32Array> {
  const pieces: Float32Array[] = [];
  let sampleCount = 0;
  const longestMs = maxDurationMs + PADDING_MS;
  try {
    const chunks = decodeAudio(path, {
      sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ,
      maxDurationMs: longestMs,
      signal,
    });
    for await (const { samples } of chunks) {
      pieces.push(samples);
      sampleCount += samples.length;
      if ((sampleCount * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ > longestMs) throw new AppError('audio_too_long');
    }
  } catch (thrown) {
    signal.throwIfAborted();
    throw explain(toAppError(thrown), maxDurationMs);
  }
  return joinSamples(pieces);
}

/** Rewords an error for this use: one recording of a person reading a text. */
function explain(error: AppError, maxDurationMs: number): AppError {
  if (error.code === 'audio_too_long') {
    return new AppError(
      'audio_too_long',
      `The recording is longer than ${Math.round(maxDurationMs / 1_000)} seconds; send a shorter one.`,
    );
  }
  return error;
}
