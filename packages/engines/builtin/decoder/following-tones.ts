import type { SyllableLanguage } from './syllable-language.ts';
import type { Slot } from './syllable-slots.ts';

/** Least probability of a following tone. */
const FLOOR_P = 1e-4;

/**
 * For tone sandhi: natural logarithm of the probability that the syllable after a node has, in the
 * dictionary, one of some tones. Uses the shortest slot that begins there. Where a tone changes
 * before itself, a syllable in the changed tone counts to the degree that the next one is such a
 * syllable.
 */
export function followingTones(
  nodeCount: number,
  slots: readonly Slot[],
  language: SyllableLanguage,
): (node: number, tones: readonly number[]) => number {
  let shares: (readonly number[])[] | null = null;
  return (node, tones) => {
    // Compute lazily: most utterances never need it.
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
    const own: number[] = [];
    let total = 0;
    for (const { tone, logp } of slot.candidates) {
      const p = Math.exp(logp - best.logp);
      own[tone] = (own[tone] ?? 0) + p;
      total += p;
    }
    const normalized = Array.from(own, (p) => (p ?? 0) / total);
    if (dissimilation !== undefined) {
      const [meant, spoken] = [dissimilation.meant - 1, dissimilation.spoken - 1];
      const changed = (normalized[spoken] ?? 0) * (shares[slot.to]?.[meant] ?? 0);
      normalized[meant] = (normalized[meant] ?? 0) + changed;
    }
    shares[slot.from] = normalized;
  }
  return shares;
}
