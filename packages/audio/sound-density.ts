import { AppError } from '@jyutsing/contracts/errors';

/**
 * Highest number of samples per second over all channels: 8 channels at 96 kHz. Work grows with
 * samples, but quotas and limits count seconds: compressed silence of many channels at a high rate
 * would cost seconds of work for each kilobyte.
 */
const MAX_SAMPLES_PER_SECOND = 8 * 96_000;

/** Throws `unsupported_audio_format` for sound with more samples per second than are accepted. */
export function refuseDenseSound({ sampleRateHz, channels }: { sampleRateHz: number; channels: number }): void {
  if (sampleRateHz * channels <= MAX_SAMPLES_PER_SECOND) return;
  throw new AppError(
    'unsupported_audio_format',
    `The recording has ${channels} channels at ${sampleRateHz} Hz; at most ${MAX_SAMPLES_PER_SECOND} samples per second over all channels are accepted, such as 8 channels at 96000 Hz.`,
  );
}
