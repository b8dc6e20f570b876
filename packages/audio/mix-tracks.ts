/**
 * Mixes tracks of one recording to their mean: people with a microphone each. All tracks have
 * chunks of the same length, only their last is shorter; one that ends earlier is silent from there
 * on. A single track passes unchanged.
 */
export async function* mixTracks(tracks: readonly AsyncGenerator<Float32Array>[]): AsyncGenerator<Float32Array> {
  try {
    for (;;) {
      const chunks: Float32Array[] = [];
      for (const track of tracks) {
        const next = await track.next();
        if (next.done !== true) chunks.push(next.value);
      }
      const [first] = chunks;
      if (first === undefined) return;
      yield tracks.length === 1 ? first : meanOf(chunks, tracks.length);
    }
  } finally {
    for (const track of tracks) await track.return(undefined);
  }
}

function meanOf(chunks: readonly Float32Array[], count: number): Float32Array {
  const mixed = new Float32Array(Math.max(...chunks.map((chunk) => chunk.length)));
  for (const chunk of chunks) {
    for (const [at, sample] of chunk.entries()) mixed[at] = (mixed[at] ?? 0) + sample / count;
  }
  return mixed;
}
