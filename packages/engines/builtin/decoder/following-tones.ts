import type { SyllableLanguage } from './syllable-language.ts';
import type { Slot } from './syllable-slots.ts';

/** Least probability of a tone that may follow. */
const FLOOR_P = 1e-4;

/**
 * Returns a function for tone sandhi: the natural logarithm of the probability that the syllable
 * after a node has, in the dictionary, one of some tones. It uses the shortest slot that begins at
 * the node. Where a tone changes before itself, a syllable in the changed tone counts to the degree
 * that the next one is such a syllable.
 */
export function followingTones(
  nodeCount: number,
  slots: readonly Slot[],
  language: SyllableLanguage,
): (node: number, tones: readonly number[]) => number {
  let shares: (readonly number[])[] | null = null;
  return (node, tones) => {
    // Compute the shares lazily: most utterances never need them.
    shares ??= toneShares(nodeCount, slots, language);
    const after = shares[node] ?? [];
    const total = tones.reduce((sum, tone) => sum + (after[tone - 1] ?? 0), 0);
    return Math.log(Math.max(total, FLOOR_P));
  };
}

function toneShares(nodeCount: number, slots: readonly Slot[], { dissimilation }: SyllableLanguage): number[][] {
  const shares: number[][] = Array.from({ length: nodeCount }, () => []);
  // Go backwards, because the tone that a syllable stands for depends on the next one.
  for (const slot of slots.toReversed()) {
    const [best] = slot.candidates;
    if (slot.to !== slot.from + 1 || best === undefined) continue;
    const toneSums: number[] = [];
    let total = 0;
    for (const { tone, logp } of slot.candidates) {
      const p = Math.exp(logp - best.logp);
      toneSums[tone] = (toneSums[tone] ?? 0) + p;
      total += p;
    }
    const normalized = Array.from(toneSums, (p) => (p ?? 0) / total);
    if (dissimilation !== undefined) {
      const [meantTone, spokenTone] = [dissimilation.meant - 1, dissimilation.spoken - 1];
      const changed = (normalized[spokenTone] ?? 0) * (shares[slot.to]?.[meantTone] ?? 0);
      normalized[meantTone] = (normalized[meantTone] ?? 0) + changed;
    }
    shares[slot.from] = normalized;
  }
  return shares;
}
