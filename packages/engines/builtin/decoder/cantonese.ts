import { PRONUNCIATION_VARIANTS, formatSyllable, normaliseSyllable, parseSyllable } from '@jyutsing/text/jyutping';
import type { MeantUnit, SyllableLanguage, SyllableParts } from './syllable-language.ts';

/**
 * Log-probability that a speaker of Hong Kong means the dictionary's syllable when saying the lazy one (`lei5` for
 * nei5), and the other way round (hypercorrection). Without these a speaker who has merged the two can never be
 * understood, because the dictionary has only one of them.
 */
const MEANT_BY_LAZY_LOGP = -2;
const MEANT_BY_CAREFUL_LOGP = -4;
/** Onsets that lazy speech brings forth. */
const LAZY_ONSETS = new Set(['l', '', 'g', 'k']);

/** Cantonese in jyutping, with the mergers of Hong Kong. */
export const CANTONESE: SyllableLanguage = {
  reading: (onset, rime, tone) => `${onset}${rime}${tone}`,
  unit(onset, rime, tone) {
    const written = `${onset}${rime}${tone}`;
    return normaliseSyllable(written) ?? written;
  },
  parts,
  meantBy,
};

function meantBy(heard: string): MeantUnit[] {
  const syllable = parseSyllable(heard);
  if (syllable === null) return [];
  return PRONUNCIATION_VARIANTS.flatMap((variant) => variant.apply(syllable)).map((meant) => {
    const lazy = LAZY_ONSETS.has(syllable.onset) && meant.rime !== 'm';
    return { unit: formatSyllable(meant), logp: lazy ? MEANT_BY_LAZY_LOGP : MEANT_BY_CAREFUL_LOGP };
  });
}

function parts(unit: string): SyllableParts | null {
  const syllable = parseSyllable(unit);
  if (syllable === null) return null;
  const [, nucleus = '', coda = ''] = /^(aa|oe|eo|yu|[aeiou])?(.*)$/.exec(syllable.rime) ?? [];
  return { onset: syllable.onset, nucleus, coda, tone: syllable.tone };
}
