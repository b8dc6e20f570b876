import type { Segment } from '@jyutsing/contracts/transcript';

/**
 * The syllables of a transcript in the same cues as its text, so that block by block one tells how the other is said. `romanization`
 * has the syllables of each segment, one space between. Their own times are not kept: each is where its share of the segment's timed
 * units is, which for Chinese, a syllable a character, is its character.
 */
export function romanizedCues(
  cues: readonly Segment[],
  segments: readonly Segment[],
  romanization: readonly string[],
): Segment[] {
  const syllables: string[][] = cues.map(() => []);
  let place = 0;
  for (const [index, segment] of segments.entries()) {
    const spoken = (romanization[index] ?? '').split(' ').filter((syllable) => syllable !== '');
    for (const [number, syllable] of spoken.entries()) {
      const timeMs = timeOf(segment, (number + 0.5) / spoken.length);
      while ((cues[place + 1]?.startMs ?? Infinity) <= timeMs) place += 1;
      syllables[place]?.push(syllable);
    }
  }
  return cues.map((cue, index) => ({ ...cue, text: syllables[index]?.join(' ') ?? '', words: [] }));
}

/** When a segment is so far (0 to 1): in the middle of the unit that is spoken there. */
function timeOf({ startMs, endMs, words }: Segment, share: number): number {
  const word = words[Math.floor(share * words.length)];
  return word === undefined ? startMs + share * (endMs - startMs) : (word.startMs + word.endMs) / 2;
}
