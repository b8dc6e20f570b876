import type { Segment } from '@jyutsing/contracts/transcript';

/**
 * Distributes the syllables of a transcript over the cues of its text, so that both have the same
 * blocks. `romanization` has the syllables of each segment, separated by spaces. Syllables have no
 * times: each is placed at the same share of the segment's timed units, which for Chinese (one
 * syllable per character) is its character.
 */
export function romanizedCues(
  cues: readonly Segment[],
  segments: readonly Segment[],
  romanization: readonly string[],
): Segment[] {
  const syllables: string[][] = cues.map(() => []);
  // The times of two speakers can overlap, where each has a channel.
  const cuesOfSpeakers = Map.groupBy(cues.keys(), (index) => cues[index]!.speaker);
  const positions = new Map<string | null, number>();
  for (const [index, segment] of segments.entries()) {
    const spoken = (romanization[index] ?? '').split(' ').filter((syllable) => syllable !== '');
    const indices = cuesOfSpeakers.get(segment.speaker) ?? [];
    let position = positions.get(segment.speaker) ?? 0;
    for (const [number, syllable] of spoken.entries()) {
      const timeMs = timeOf(segment, (number + 0.5) / spoken.length);
      while ((cues[indices[position + 1] ?? NaN]?.startMs ?? Infinity) <= timeMs) position += 1;
      syllables[indices[position] ?? NaN]?.push(syllable);
    }
    positions.set(segment.speaker, position);
  }
  return cues.map((cue, index) => ({ ...cue, text: syllables[index]?.join(' ') ?? '', words: [] }));
}

/** The middle of the unit at that share (0 to 1) of the segment. */
function timeOf({ startMs, endMs, words }: Segment, share: number): number {
  const word = words[Math.floor(share * words.length)];
  return word === undefined ? startMs + share * (endMs - startMs) : (word.startMs + word.endMs) / 2;
}
