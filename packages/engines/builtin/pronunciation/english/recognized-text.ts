/** A word and its times. */
export type TimedWord = { text: string; startMs: number; endMs: number };

/**
 * Builds the recognized text: accepted words of the text, and freely recognized words in all other
 * places. A free word belongs to a place when its middle is in it.
 */
export function recognizedText(accepted: readonly TimedWord[], free: readonly TimedWord[]): string {
  const remaining = free.filter(({ startMs, endMs }) => {
    const middleMs = (startMs + endMs) / 2;
    return !accepted.some((word) => middleMs >= word.startMs && middleMs < word.endMs);
  });
  return [...accepted, ...remaining]
    .toSorted((a, b) => a.startMs - b.startMs)
    .map(({ text }) => text)
    .join(' ');
}
