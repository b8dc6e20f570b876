import { createStereoMix } from './stereo-mix.ts';

type MixOptions = {
  sampleRateHz: number;
  /** Look-ahead of `createStereoMix` in milliseconds. */
  lookaheadMs: number;
};

/**
 * Mixes tracks of one recording: people with a microphone each, or the two sides of one microphone,
 * which may be in opposite phase. Every second track counts as a right channel, and both sides are
 * mixed as `createStereoMix` does. All tracks have chunks of the same length, only their last is
 * shorter; one that ends earlier is silent from there on. A single track passes unchanged.
 */
export async function* mixTracks(
  tracks: readonly AsyncGenerator<Float32Array>[],
  { sampleRateHz, lookaheadMs }: MixOptions,
): AsyncGenerator<Float32Array> {
  const stereo = createStereoMix(sampleRateHz, lookaheadMs);
  try {
    for (;;) {
      const chunks: (Float32Array | null)[] = [];
      for (const track of tracks) {
        const next = await track.next();
        chunks.push(next.done === true ? null : next.value);
      }
      if (tracks.length === 1 && chunks[0] !== null) {
        yield chunks[0]!;
        continue;
      }
      const isEnded = chunks.every((chunk) => chunk === null);
      const mixed = isEnded ? stereo.flush() : stereo.push(...meanAndDifference(chunks));
      // The mix keeps its memory for the next samples.
      if (mixed.length > 0) yield mixed.slice();
      if (isEnded) return;
    }
  } finally {
    stereo.close();
    for (const track of tracks) await track.return(undefined);
  }
}

function meanAndDifference(chunks: readonly (Float32Array | null)[]): [mean: Float32Array, difference: Float32Array] {
  const length = Math.max(...chunks.map((chunk) => chunk?.length ?? 0));
  const [mean, difference] = [new Float32Array(length), new Float32Array(length)];
  for (const [number, chunk] of chunks.entries()) {
    const [weight, side] = [1 / chunks.length, number % 2 === 0 ? 1 : -1];
    for (const [at, sample] of chunk?.entries() ?? []) {
      mean[at]! += weight * sample;
      difference[at]! += side * weight * sample;
    }
  }
  return [mean, difference];
}
