import { JYUTPING_ONSETS, JYUTPING_RIMES, parseSyllable } from '#text/syllables/jyutping.ts';
import { jyutpingToIpa } from '#text/syllables/jyutping-ipa.ts';

/** A reading, or the reason why there is none, which continues "The pronunciation ...". */
export type ReadPhonemes = { reading: readonly string[] } | { fault: string };

/** Signs of one sound that different authors write differently, and the one of `jyutpingToIpa`. */
const SAME_SIGNS: readonly (readonly [RegExp, string])[] = [
  // Length, and ties and diacritics of glides, final stops and syllabic nasals, distinguish
  // nothing.
  [/[\p{Mn}\u02d0\u02d1]/gu, ''],
  [/[ʧ]|t[ʃɕ]/gu, 'ts'],
  [/ʦ/gu, 'ts'],
  [/ɡ/gu, 'g'],
  [/ʔ/gu, ''],
  [/[ʃɕ]/gu, 's'],
  [/ʷ/gu, 'w'],
  [/ɪ(?=[ŋk])/gu, 'e'],
  [/ʊ(?=[ŋk])/gu, 'o'],
  [/[ɪj]$/gu, 'i'],
  [/[ʊw]$/gu, 'u'],
];
/** The contours of tones, as digits from 1 (lowest) to 5. */
const TONES: Readonly<Record<string, number>> = {
  '5': 1,
  '55': 1,
  '53': 1,
  '35': 2,
  '25': 2,
  '3': 3,
  '33': 3,
  '1': 4,
  '11': 4,
  '21': 4,
  '13': 5,
  '23': 5,
  '24': 5,
  '2': 6,
  '22': 6,
};
const TONE_LETTERS = '˩˨˧˦˥';
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const SYLLABLE = /([^˩˨˧˦˥\d⁰¹²³⁴⁵⁶⁷⁸⁹\s.·ˈˌ]+)([˩˨˧˦˥]+|\d+|[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?/gu;

const simplified = (ipa: string) =>
  SAME_SIGNS.reduce((text, [pattern, sign]) => text.replaceAll(pattern, sign), ipa.normalize('NFD'));

/** Syllables of jyutping without tone, by their simplified IPA. */
const SYLLABLES = new Map<string, string>();
const SIGNS = new Set<string>();
for (const onset of ['', ...JYUTPING_ONSETS]) {
  for (const rime of JYUTPING_RIMES) {
    const base = onset + rime;
    if (parseSyllable(`${base}3`) === null) continue;
    // High vowels have a glide before them: i is ji, u is wu, y is jyu.
    const glide = onset !== '' ? '' : /^(?:i|yu)/.test(rime) ? 'j' : rime.startsWith('u') ? 'w' : '';
    const ipa = simplified(jyutpingToIpa(`${base}3`).replaceAll(/[˩˨˧˦˥]/gu, ''));
    for (const sign of ipa) SIGNS.add(sign);
    if (!SYLLABLES.has(ipa)) SYLLABLES.set(ipa, glide + base);
  }
}

/**
 * Reads Cantonese in the International Phonetic Alphabet as jyutping. Tones are contours in tone
 * letters or digits (nei̯˩˧, nei13); one digit is the number of the tone in jyutping (nei5).
 */
export function readCantoneseIpa(text: string): ReadPhonemes {
  const reading: string[] = [];
  for (const [written, sounds = '', tone = ''] of text.matchAll(SYLLABLE)) {
    const ipa = simplified(sounds);
    const base = SYLLABLES.get(ipa);
    if (base === undefined) {
      const stranger = Array.from(ipa).find((sign) => !SIGNS.has(sign));
      return {
        fault:
          stranger === undefined
            ? `"${written}" is no syllable of Cantonese`
            : `"${stranger}" is no sound of Cantonese`,
      };
    }
    if (tone === '') return { fault: `"${written}" has no tone` };
    const number = toneOf(tone);
    if (number === null) return { fault: `"${tone}" is no tone of Cantonese` };
    reading.push(`${base}${number}`);
  }
  return reading.length === 0 ? { fault: 'has no sounds' } : { reading };
}

function toneOf(written: string): number | null {
  const isLetters = TONE_LETTERS.includes(written.charAt(0));
  const digits = Array.from(written, (sign) => {
    if (isLetters) return TONE_LETTERS.indexOf(sign) + 1;
    return SUPERSCRIPTS.includes(sign) ? SUPERSCRIPTS.indexOf(sign) : Number(sign);
  }).join('');
  if (!isLetters && digits.length === 1) return /[1-6]/.test(digits) ? Number(digits) : null;
  return TONES[digits] ?? null;
}
