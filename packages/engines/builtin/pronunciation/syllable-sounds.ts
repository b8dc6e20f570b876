import type { AcousticLabels, SyllabicLanguage } from '#engines/builtin/decoder/types.ts';
import {
  CODA_VARIANTS,
  PRONUNCIATION_VARIANTS,
  normalizeSyllable,
  parseSyllable,
} from '@jyutsing/text/syllables/jyutping';
import { formatPinyin, parsePinyin } from '@jyutsing/text/syllables/pinyin';

/** Sound changes of native speakers that cost little, unless the strictness is `broadcast`. */
const ACCEPTED_CHANGES = [...PRONUNCIATION_VARIANTS, ...CODA_VARIANTS];

/** A syllable in the numbers of the acoustic model's columns. */
export type SyllableSound = {
  /** Number of the onset among the labels' onsets plus 1; 0 is the zero onset. */
  onset: number;
  /** Number of the rime among the labels' rimes. */
  rime: number;
  /** Tone, counted from 1. */
  tone: number;
};

/** An accepted reading of a unit, with its variants. */
export type Reading = SyllableSound & {
  written: string;
  /** Onsets and rimes that many native speakers use in place of these. */
  onsetVariants: readonly number[];
  rimeVariants: readonly number[];
};

/** Maps the syllables of a language to the columns of its acoustic model. */
export type SyllableSounds = {
  language: SyllabicLanguage;
  labels: AcousticLabels;
  /**
   * Parses a syllable; null for anything that is not a syllable of the language or has no columns.
   */
  read(written: string): Reading | null;
  /**
   * Names the sound change of native speakers by which a heard onset and rime differ from a
   * reading; null if there is none.
   */
  ruleOf(reading: Reading, spoken: Pick<SyllableSound, 'onset' | 'rime'>): string | null;
  /** Spells a syllable in the usual orthography. */
  write(sound: SyllableSound): string;
  onsetName(onset: number): string;
  rimeName(rime: number): string;
  /** Returns true if the language has syllables of this onset and rime. */
  exists(onset: number, rime: number): boolean;
  /** Rimes that are one sound spelled in two ways: [the column that counts, the other]. */
  doubles: readonly (readonly [number, number])[];
};

/**
 * Makes the tables for one language and one acoustic model. `existing` lists the syllables of the
 * language, without tones.
 */
export function syllableSounds(
  language: SyllabicLanguage,
  labels: AcousticLabels,
  existing: readonly string[],
): SyllableSounds {
  const onsetOf = new Map(['', ...labels.onsets].map((name, index) => [name, index]));
  const rimeOf = new Map(labels.rimes.map((name, index) => [name, index]));
  const onsetName = (onset: number): string => (onset === 0 ? '' : (labels.onsets[onset - 1] ?? ''));
  const rimeName = (rime: number): string => labels.rimes[rime] ?? '';
  const place = (parts: { onset: string; rime: string; tone: number } | null): SyllableSound | null => {
    if (parts === null) return null;
    const [onset, rime] = [onsetOf.get(parts.onset), rimeOf.get(parts.rime)];
    return onset === undefined || rime === undefined ? null : { onset, rime, tone: parts.tone };
  };
  const isCantonese = language === 'cantonese';
  const parse = (written: string) =>
    isCantonese ? parseSyllable(normalizeSyllable(written) ?? written) : parsePinyin(written);
  const [long, short] = [rimeOf.get('aa'), rimeOf.get('a')];
  const exists = new Uint8Array((labels.onsets.length + 1) * labels.rimes.length);
  for (const base of existing) {
    const sound = place(parse(`${base}1`));
    if (sound !== null) exists[sound.onset * labels.rimes.length + sound.rime] = 1;
  }
  return {
    language,
    labels,
    exists: (onset, rime) => exists[onset * labels.rimes.length + rime] === 1,
    onsetName,
    rimeName,
    doubles: isCantonese && long !== undefined && short !== undefined ? [[long, short]] : [],
    read(written) {
      const parts = parse(written);
      const sound = place(parts);
      if (parts === null || sound === null) return null;
      const variants = isCantonese ? ACCEPTED_CHANGES.flatMap((rule) => rule.apply(parts)).map(place) : [];
      const variantsOf = (part: 'onset' | 'rime') =>
        variants.flatMap((variant) => (variant === null || variant[part] === sound[part] ? [] : [variant[part]]));
      return { ...sound, written, onsetVariants: variantsOf('onset'), rimeVariants: variantsOf('rime') };
    },
    ruleOf({ written, onset, rime }, spoken) {
      const parts = isCantonese ? parse(written) : null;
      if (parts === null || (spoken.onset === onset && spoken.rime === rime)) return null;
      const makesIt = (changed: { onset: string; rime: string; tone: number }): boolean => {
        const sound = place(changed);
        return sound?.onset === spoken.onset && sound.rime === spoken.rime;
      };
      return ACCEPTED_CHANGES.find((rule) => rule.apply(parts).some(makesIt))?.name ?? null;
    },
    write({ onset, rime, tone }) {
      const parts = { onset: onsetName(onset), rime: rimeName(rime), tone };
      return isCantonese ? `${parts.onset}${parts.rime}${tone}` : formatPinyin(parts);
    },
  };
}
