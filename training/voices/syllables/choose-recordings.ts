import type { CutRecording } from './build-voice.ts';

/** A cut recording of a word or syllable with what it is chosen by. */
export type ScoredWord = CutRecording & {
  labels: readonly string[];
  /** Score of the whole recording, 0–100. */
  score: number;
  /** Score of each syllable, 0–100. */
  syllableScores: readonly number[];
  /** How often the word is used. */
  frequency: number;
};

/**
 * The best recording of each syllable and of the most frequent words. Syllables that were not
 * recorded by themselves are taken out of the best word with them, and keep that word in the voice.
 */
export function chooseRecordings(scored: readonly ScoredWord[], wordCount: number): CutRecording[] {
  const best = new Map<string, ScoredWord>();
  for (const candidate of scored.toSorted((a, b) => b.score - a.score)) {
    const key = candidate.labels.join('.');
    if (!best.has(key)) best.set(key, candidate);
  }
  const singles = [...best.values()].filter(({ labels }) => labels.length === 1);
  const words = [...best.values()]
    .filter(({ labels }) => labels.length > 1)
    .toSorted((a, b) => b.frequency - a.frequency);
  const singleLabels = new Set(singles.map(({ labels }) => labels[0]));
  const lent = new Map<string, { word: ScoredWord; index: number; score: number }>();
  for (const word of words) {
    for (const [index, label] of word.labels.entries()) {
      const isLast = index === word.labels.length - 1;
      // The last syllable of a word goes over into nothing else.
      const score = word.syllableScores[index]! + (isLast ? 10 : 0);
      if (!singleLabels.has(label) && score > (lent.get(label)?.score ?? -1)) lent.set(label, { word, index, score });
    }
  }
  const lenders = new Set([...lent.values()].map(({ word }) => word));
  const kept = new Set([...lenders, ...words].slice(0, Math.max(lenders.size, wordCount)));
  return [
    ...singles,
    ...[...kept].map(({ samples, units, labels }) => ({
      samples,
      units: [
        ...units,
        ...labels.flatMap((label, index) =>
          lent.get(label)?.word.units === units && lent.get(label)?.index === index
            ? [{ ...units[index]!, label }]
            : [],
        ),
      ],
    })),
  ].map(({ samples, units }) => ({ samples, units }));
}
