/** A parsed syllable of Mandarin, by sound. */
export interface PinyinSyllable {
  /** Empty for the zero onset: `y` and `w` are spelling only. */
  onset: string;
  /**
   * Medial, nucleus and coda, `v` for ü; `iz` is the vowel of zi, ci, si and `ir` that of zhi, chi,
   * shi, ri.
   */
  rime: string;
  /** 1 to 4; 5 is the neutral tone. */
  tone: number;
}

/**
 * Onsets of pinyin without the zero onset, in the order of the acoustic model's training labels.
 */
export const PINYIN_ONSETS: readonly string[] = 'b p m f d t n l g k h j q x zh ch sh r z c s'.split(' ');

/**
 * Rimes, one for each sound whatever its spelling, in the order of the acoustic model's training
 * labels.
 */
export const PINYIN_RIMES: readonly string[] = (
  'a ai an ang ao e ei en eng er i ia ian iang iao ie in ing iong iu iz ir o ong ou ' +
  'u ua uai uan uang ueng ui un uo v van ve vn'
).split(' ');

/** Tones, including the neutral one. */
export const PINYIN_TONES = 5;

const RIMES = new Set(PINYIN_RIMES);
const ONSETS = new Set(PINYIN_ONSETS);
const TWO_LETTER_ONSETS = ['zh', 'ch', 'sh'];
const RETROFLEX = new Set(['zh', 'ch', 'sh', 'r']);
const DENTAL = new Set(['z', 'c', 's']);
const PALATAL = new Set(['j', 'q', 'x']);
/** Rimes that pinyin shortens after a consonant. */
const SHORTENED: Readonly<Record<string, string>> = { iou: 'iu', uei: 'ui', uen: 'un' };
const WRITTEN_OUT: Readonly<Record<string, string>> = { iu: 'iou', ui: 'uei', un: 'uen' };

/**
 * Parses a written syllable (Hanyu Pinyin, ISO 7098): `zhong1`, `lv4` or `lü4`, `yuan2`, `er2`,
 * `ma5`; without a digit it is neutral. Null if the text is none, which includes the interjections
 * `m`, `ng`, `ê` and `yo`.
 */
export function parsePinyin(text: string): PinyinSyllable | null {
  const match = /^([a-zü]+)([1-5]?)$/.exec(text.trim().toLowerCase());
  if (match === null) return null;
  const [, letters = '', digit = ''] = match;
  const base = withoutGlideLetters(letters.replace('ü', 'v'));
  const first = base.slice(0, 1);
  const onset = TWO_LETTER_ONSETS.find((candidate) => base.startsWith(candidate)) ?? (ONSETS.has(first) ? first : '');
  const rime = spokenRime(onset, base.slice(onset.length));
  return RIMES.has(rime) ? { onset, rime, tone: Number(digit || '5') } : null;
}

/**
 * Formats a syllable, with `v` where pinyin keeps the dots of ü: `zhong1`, `lv4`, `yuan2`. Inverse
 * of `parsePinyin`.
 */
export function formatPinyin({ onset, rime, tone }: PinyinSyllable): string {
  return `${writtenBase(onset, rime)}${tone}`;
}

/** `yuan` → `van`, `you` → `iou`, `wen` → `uen`, `yi` → `i`. */
function withoutGlideLetters(base: string): string {
  if (base.startsWith('yu')) return `v${base.slice(2)}`;
  if (base.startsWith('y')) return base.startsWith('yi') ? base.slice(1) : `i${base.slice(1)}`;
  if (base.startsWith('w')) return base.startsWith('wu') ? base.slice(1) : `u${base.slice(1)}`;
  return base;
}

function spokenRime(onset: string, written: string): string {
  if (PALATAL.has(onset) && written.startsWith('u')) return `v${written.slice(1)}`;
  if (written === 'i' && DENTAL.has(onset)) return 'iz';
  if (written === 'i' && RETROFLEX.has(onset)) return 'ir';
  return SHORTENED[written] ?? written;
}

function writtenBase(onset: string, rime: string): string {
  if ((rime === 'iz' && DENTAL.has(onset)) || (rime === 'ir' && RETROFLEX.has(onset))) return `${onset}i`;
  if (onset !== '') return PALATAL.has(onset) && rime.startsWith('v') ? `${onset}u${rime.slice(1)}` : onset + rime;
  if (rime === 'iz' || rime === 'ir') return rime;
  const full = WRITTEN_OUT[rime] ?? rime;
  if (full.startsWith('v')) return `yu${full.slice(1)}`;
  if (full === 'i' || full === 'in' || full === 'ing') return `y${full}`;
  if (full.startsWith('i')) return `y${full.slice(1)}`;
  if (full === 'u') return 'wu';
  return full.startsWith('u') ? `w${full.slice(1)}` : full;
}
