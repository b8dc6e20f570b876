import type { PcmChunk } from '@jyutsing/contracts/audio';
import { AppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { decodeAudio } from '#audio/decode.ts';

/**
 * Evidence (`Diarizer.evidenceOfSecondVoice`) from which a sample counts as that of two people.
 * Chosen on the speakers `development`, far above all samples of one person (docs/voices.md).
 */
export const SEVERAL_VOICES_FROM = 1.5;

/** Longest sample, in milliseconds; longer ones were refused before. */
const MAX_SAMPLE_MS = 60_000;

/** Decodes a sample for a diarizer. Throws the errors of `decodeAudio`. */
export function decodeForVoices(path: string, signal: AbortSignal): AsyncGenerator<PcmChunk> {
  return decodeAudio(path, { sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, maxDurationMs: MAX_SAMPLE_MS, signal });
}

/** Throws `unsuitable_sample` when the evidence says that two people speak. */
export function refuseSeveralVoices(evidence: number): void {
  if (evidence < SEVERAL_VOICES_FROM) return;
  throw new AppError(
    'unsuitable_sample',
    'More than one voice was found in the sample; record 3 to 30 seconds of one person speaking alone.',
  );
}
