import type { PcmChunk } from '@jyutsing/contracts/audio';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';

/** Sound for a recognizer as the whole of a stream. */
export async function* oneChunk(samples: Float32Array): AsyncGenerator<PcmChunk> {
  yield { samples, sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, startMs: 0 };
}
