/** A parsed syllable of jyutping. */
export interface JyutpingSyllable {
  /** Empty for the zero onset. */
  onset: string;
  /** Nucleus and coda; `m` and `ng` when syllabic. */
  rime: string;
  /** 1 to 6. */
  tone: number;
}

/**
 * Onsets of jyutping without the zero onset. Longer ones come before their prefixes (`gw` before
 * `g`).
 */
export const JYUTPING_ONSETS: readonly string[] = [
  'gw',
  'kw',
  'ng',
  'b',
  'p',
  'm',
  'f',
  'd',
  't',
  'n',
  'l',
  'g',
  'k',
  'h',
  'w',
  'z',
  'c',
  's',
  'j',
];

/**
 * Rimes of jyutping (Linguistic Society of Hong Kong, 1993), including colloquial and borrowed
 * ones. Some word lists write a short `a` without a coda for a weak `aa`; `normalizeSyllable` makes
 * it `aa`.
 */
export const JYUTPING_RIMES: readonly string[] = (
  'aa aai aau aam aan aang aap aat aak ai au am an ang ap at ak ' +
  'e ei eu em en eng ep et ek i iu im in ing ip it ik ' +
  'o oi ou om on ong op ot ok u ui um un ung up ut uk ' +
  'oe oeng oet oek eoi eon eot yu yun yut m ng'
).split(' ');

const RIMES = new Set(JYUTPING_RIMES);

/** Parses one toned syllable (lower case, tone 1 to 6); null if the text is none. */
export function parseSyllable(text: string): JyutpingSyllable | null {
  const tone = text.charCodeAt(text.length - 1) - 48;
  if (!(tone >= 1 && tone <= 6)) return null;
  const base = text.slice(0, -1);
  // Syllabic m and ng look like onsets, so the whole is tried as a rime first.
  if (RIMES.has(base)) return { onset: '', rime: base, tone };
  for (const onset of JYUTPING_ONSETS) {
    if (base.startsWith(onset) && RIMES.has(base.slice(onset.length))) {
      const rime = base.slice(onset.length);
      // Only h precedes a syllabic nasal (hm, hng: interjections).
      if ((rime === 'm' || rime === 'ng') && onset !== 'h') return null;
      return { onset, rime, tone };
    }
  }
  return null;
}

/** The written form, for example `gwong2`. */
export function formatSyllable(syllable: JyutpingSyllable): string {
  return syllable.onset + syllable.rime + String(syllable.tone);
}

/** Whether the text is one valid toned syllable. */
export function isSyllable(text: string): boolean {
  return parseSyllable(text) !== null;
}

/**
 * Normalizes a syllable: trims, lower-cases, and writes a short `a` without a coda as `aa`. Null if
 * it is no syllable.
 */
export function normalizeSyllable(text: string): string | null {
  const lower = text.trim().toLowerCase();
  const normalized = lower.replace(/^([bpmfdtnlgkhwzcsj]|ng|gw|kw)?a([1-6])$/, '$1aa$2');
  return isSyllable(normalized) ? normalized : null;
}

/**
 * A pronunciation that Hong Kong speakers use instead of the dictionary's, with the same meaning.
 */
export interface PronunciationVariant {
  name: string;
  /** Every pronunciation that the rule makes of a syllable; empty if it does not apply. */
  apply: (syllable: JyutpingSyllable) => JyutpingSyllable[];
}

/** Rimes before which `gw`/`kw` lose their rounding. */
const ROUNDED_RIMES = new Set(['o', 'ong', 'ok']);

/**
 * Sound changes in progress in Hong Kong ("lazy sounds" and hypercorrections), in both directions
 * where both occur.
 */
export const PRONUNCIATION_VARIANTS: readonly PronunciationVariant[] = [
  {
    name: 'n/l',
    apply: (s) => (s.onset === 'n' ? [{ ...s, onset: 'l' }] : s.onset === 'l' ? [{ ...s, onset: 'n' }] : []),
  },
  {
    name: 'ng/zero',
    apply: (s) => {
      if (s.onset === 'ng') return [{ ...s, onset: '' }];
      // High vowels never take ng-.
      const takesNg = s.onset === '' && /^(a|o(?!e)|e(?!o))/.test(s.rime);
      return takesNg ? [{ ...s, onset: 'ng' }] : [];
    },
  },
  {
    name: 'gwo/go',
    apply: (s) => {
      if (!ROUNDED_RIMES.has(s.rime)) return [];
      const other = { gw: 'g', kw: 'k', g: 'gw', k: 'kw' }[s.onset];
      return other === undefined ? [] : [{ ...s, onset: other }];
    },
  },
  {
    name: 'ng/m syllabic',
    apply: (s) =>
      s.onset !== '' ? [] : s.rime === 'ng' ? [{ ...s, rime: 'm' }] : s.rime === 'm' ? [{ ...s, rime: 'ng' }] : [],
  },
];

/**
 * Further sound changes of younger speakers: -ng and -k become -n and -t after a, aa and o (Zee
 * 1999). Recognizers do not use them, which would join too many words.
 */
export const CODA_VARIANTS: readonly PronunciationVariant[] = [
  { name: 'ng/n', apply: (s) => codaChange(s, /^(a|aa|o)ng$/, 'n') },
  { name: 'k/t', apply: (s) => codaChange(s, /^(a|aa|o)k$/, 't') },
];

function codaChange(syllable: JyutpingSyllable, changing: RegExp, coda: string): JyutpingSyllable[] {
  const vowel = changing.exec(syllable.rime)?.[1];
  return vowel === undefined ? [] : [{ ...syllable, rime: vowel + coda }];
}

/** Every accepted variant of a syllable, without itself. One sound change at a time. */
export function pronunciationVariants(text: string): string[] {
  const syllable = parseSyllable(text);
  if (syllable === null) return [];
  return PRONUNCIATION_VARIANTS.flatMap((variant) => variant.apply(syllable)).map(formatSyllable);
}
