import { PRONUNCIATION_VARIANTS, formatSyllable, parseSyllable } from '#language/jyutping.ts';

/** A syllable that may have been meant by a speaker who says another. */
export type MeantSyllable = { number: number; logp: number };

/**
 * Log-probability that a speaker of Hong Kong means the dictionary's syllable when saying the lazy one (`lei5` for
 * nei5), and the other way round (hypercorrection). Without these a speaker who has merged the two can never be
 * understood, because the dictionary has only one of them.
 */
const MEANT_BY_LAZY_LOGP = -2;
const MEANT_BY_CAREFUL_LOGP = -4;
/** Onsets that lazy speech brings forth. */
const LAZY_ONSETS = new Set(['l', '', 'g', 'k']);

/** For every syllable of the model, the other ones that may be meant by it. */
export function meantSyllables(
  syllables: readonly string[],
  numberOf: (syllable: string) => number | undefined,
): MeantSyllable[][] {
  return syllables.map((heard) => {
    const syllable = parseSyllable(heard);
    if (syllable === null) return [];
    return PRONUNCIATION_VARIANTS.flatMap((variant) => variant.apply(syllable)).flatMap((meant) => {
      const number = numberOf(formatSyllable(meant));
      if (number === undefined) return [];
      const lazy = LAZY_ONSETS.has(syllable.onset) && meant.rime !== 'm';
      return [{ number, logp: lazy ? MEANT_BY_LAZY_LOGP : MEANT_BY_CAREFUL_LOGP }];
    });
  });
}
