import { AppError } from '@jyutsing/contracts/errors';

/** A jyutping syllable in the parts that decide how it is cut, timed and joined. */
export type SyllableParts = {
  onset: string;
  rime: string;
  tone: number;
  /** Ends in an unreleased stop. */
  isChecked: boolean;
  /** Ends in a nasal. */
  isNasal: boolean;
  /** The vowel is shorter than the nasal after it. */
  hasShortVowel: boolean;
  /** A nasal without a vowel. */
  isSyllabic: boolean;
};

const SYLLABLE = /^(gw|kw|ng(?=[aeiouy])|[bpmfdtnlgkhwzcsj](?=[aeiouymn]))?([a-z]+)([1-6])$/;
const SHORT_VOWELS = new Set(['am', 'an', 'ang', 'ing', 'ung', 'eon']);
const OPEN_ONSETS = new Set(['m', 'n', 'ng', 'l', 'w', 'j', '']);

/** Throws `engine_failed` when `label` is not jyutping. */
export function partsOf(label: string): SyllableParts {
  const [, onset = '', rime, tone] = SYLLABLE.exec(label) ?? [];
  if (rime === undefined) throw new AppError('engine_failed', `"${label}" is not a jyutping syllable.`);
  const isSyllabic = rime === 'm' || rime === 'ng';
  return {
    onset,
    rime,
    tone: Number(tone),
    isChecked: /[ptk]$/.test(rime),
    isNasal: /[mng]$/.test(rime),
    hasShortVowel: SHORT_VOWELS.has(rime),
    isSyllabic,
  };
}

/** Whether the voice goes on through an onset: sonorants, w, j, and none. */
export function isOpenOnset(onset: string): boolean {
  return OPEN_ONSETS.has(onset);
}

export const isPlainStop = (onset: string) => ['b', 'd', 'g', 'gw'].includes(onset);
/** Stops and affricates: the mouth is closed before them. */
export const hasClosure = (onset: string) => ['b', 'd', 'g', 'gw', 'p', 't', 'k', 'kw', 'z', 'c'].includes(onset);
export const isFricative = (onset: string) => ['s', 'f', 'h'].includes(onset);
