/** A word and where it lies. */
export type TimedWord = { text: string; startMs: number; endMs: number };

/**
 * What was said from beginning to end: words of the text where they were recognised, and in all other places what the recogniser hears
 * when it knows no text. A word that it hears counts for a place when its middle lies there.
 */
export function recognizedText(accepted: readonly TimedWord[], free: readonly TimedWord[]): string {
  const elsewhere = free.filter(({ startMs, endMs }) => {
    const middleMs = (startMs + endMs) / 2;
    return !accepted.some((word) => middleMs >= word.startMs && middleMs < word.endMs);
  });
  return [...accepted, ...elsewhere]
    .toSorted((a, b) => a.startMs - b.startMs)
    .map(({ text }) => text)
    .join(' ');
}
