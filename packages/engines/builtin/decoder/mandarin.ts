import { formatPinyin, parsePinyin, type PinyinSyllable } from '@jyutsing/text/syllables/pinyin';
import type { MeantUnit, SyllableLanguage, SyllableParts } from './syllable-language.ts';

/**
 * Log-probability of sandhi of the third tone, of 一 and of 不, which is all but obligatory (Chao
 * 1968, §1.3.4).
 */
const SANDHI_LOGP = -0.2;
/**
 * Log-probabilities of another tone where speakers and dictionaries differ in which syllables are
 * neutral, in both directions.
 */
const MEANT_BY_NEUTRAL_LOGP = -3;
const NEUTRAL_MEANT_LOGP = -2.5;
/**
 * Log-probability of a merged sound: southern speakers merge zh- with z-, -ng with -n, some n- with
 * l-; the dictionary only has the standard.
 */
const MERGED_LOGP = -4;

const NEUTRAL_TONE = 5;
const FULL_TONES = [1, 2, 3, 4];
/** Maps each sound of a pair to the other one. */
const exchanged = (pairs: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    pairs.split(' ').flatMap((pair) => {
      const [first = '', second = ''] = pair.split('/');
      return [
        [first, second],
        [second, first],
      ];
    }),
  );
const MERGED_ONSETS = exchanged('z/zh c/ch s/sh n/l');
// The vowels of zi and zhi are one sound after merged onsets.
const MERGED_RIMES = exchanged('en/eng in/ing an/ang iz/ir');
const APICAL = new Set(['iz', 'ir']);

/** Mandarin in pinyin with `v` for ü; the neutral tone is 5. */
export const MANDARIN: SyllableLanguage = {
  reading: (onset, rime, tone) => formatPinyin({ onset, rime, tone }),
  unit: (onset, rime, tone) => formatPinyin({ onset, rime, tone }),
  parts,
  meantBy,
  dissimilation: { meant: 3, spoken: 2 },
};

function meantBy(recognized: string): MeantUnit[] {
  const syllable = parsePinyin(recognized);
  if (syllable === null) return [];
  const { tone } = syllable;
  const withTone = (otherTone: number): string => formatPinyin({ ...syllable, tone: otherTone });
  const units = sandhi(recognized, syllable);
  if (tone === NEUTRAL_TONE) {
    for (const full of FULL_TONES) units.push({ unit: withTone(full), logp: MEANT_BY_NEUTRAL_LOGP });
  } else {
    units.push({ unit: withTone(NEUTRAL_TONE), logp: NEUTRAL_MEANT_LOGP });
  }
  return [...units, ...merged(syllable).map((second) => ({ unit: formatPinyin(second), logp: MERGED_LOGP }))];
}

function sandhi(recognized: string, syllable: PinyinSyllable): MeantUnit[] {
  const rules: Readonly<Record<string, MeantUnit>> = {
    yi2: { unit: 'yi1', logp: SANDHI_LOGP, beforeTones: [4] },
    yi4: { unit: 'yi1', logp: SANDHI_LOGP, beforeTones: [1, 2, 3] },
    bu2: { unit: 'bu4', logp: SANDHI_LOGP, beforeTones: [4] },
  };
  const meantUnit = rules[recognized];
  const third = { unit: formatPinyin({ ...syllable, tone: 3 }), logp: SANDHI_LOGP, beforeTones: [3] };
  return [...(meantUnit === undefined ? [] : [meantUnit]), ...(syllable.tone === 2 ? [third] : [])];
}

function merged(syllable: PinyinSyllable): PinyinSyllable[] {
  const { onset, rime } = syllable;
  const otherOnset = MERGED_ONSETS[onset];
  const otherRime = MERGED_RIMES[rime];
  const isApical = APICAL.has(rime);
  const variants: PinyinSyllable[] = [];
  if (otherOnset !== undefined) {
    variants.push({ ...syllable, onset: otherOnset, rime: isApical ? (otherRime ?? rime) : rime });
  }
  if (otherRime !== undefined && !isApical) variants.push({ ...syllable, rime: otherRime });
  return variants;
}

function parts(unit: string): SyllableParts | null {
  const syllable = parsePinyin(unit);
  if (syllable === null) return null;
  const rime = APICAL.has(syllable.rime) ? 'i' : syllable.rime;
  const [, nucleus = '', coda = ''] = /^(.*?)(ng|n|)$/.exec(rime) ?? [];
  return { onset: syllable.onset, nucleus, coda, tone: syllable.tone };
}
