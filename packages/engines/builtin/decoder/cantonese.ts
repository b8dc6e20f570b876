import {
  PRONUNCIATION_VARIANTS,
  formatSyllable,
  normalizeSyllable,
  parseSyllable,
} from '@jyutsing/text/syllables/jyutping';
import type { MeantUnit, SyllableLanguage, SyllableParts } from './syllable-language.ts';

/**
 * Log-probabilities that a speaker of Hong Kong means the dictionary's syllable by the lazy one
 * (`lei5` for nei5), and the reverse (hypercorrection). Without them merged pronunciations would
 * never match the dictionary.
 */
const MEANT_BY_LAZY_LOGP = -2;
const MEANT_BY_CAREFUL_LOGP = -4;
/** Onsets of syllables that result from lazy pronunciation. */
const LAZY_ONSETS = new Set(['l', '', 'g', 'k']);

/** Cantonese in jyutping, with the mergers of Hong Kong. */
export const CANTONESE: SyllableLanguage = {
  reading: (onset, rime, tone) => `${onset}${rime}${tone}`,
  unit(onset, rime, tone) {
    const written = `${onset}${rime}${tone}`;
    return normalizeSyllable(written) ?? written;
  },
  parts,
  meantBy,
};

function meantBy(recognized: string): MeantUnit[] {
  const syllable = parseSyllable(recognized);
  if (syllable === null) return [];
  return PRONUNCIATION_VARIANTS.flatMap((variant) => variant.apply(syllable)).map((intended) => {
    const lazy = LAZY_ONSETS.has(syllable.onset) && intended.rime !== 'm';
    return { unit: formatSyllable(intended), logp: lazy ? MEANT_BY_LAZY_LOGP : MEANT_BY_CAREFUL_LOGP };
  });
}

function parts(unit: string): SyllableParts | null {
  const syllable = parseSyllable(unit);
  if (syllable === null) return null;
  const [, nucleus = '', coda = ''] = /^(aa|oe|eo|yu|[aeiou])?(.*)$/.exec(syllable.rime) ?? [];
  return { onset: syllable.onset, nucleus, coda, tone: syllable.tone };
}
