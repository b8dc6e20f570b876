import { formatSyllable, parseSyllable, pronunciationVariants } from '@jyutsing/text/syllables/jyutping';
import { formatPinyin, parsePinyin } from '@jyutsing/text/syllables/pinyin';
import type { SyllabicLanguage } from '#packages/engines/builtin/decoder/types.ts';

/** Component in which a syllable differs from the spoken one. */
export const PAIR_KINDS = ['tone', 'onset', 'rime'] as const;
export type PairKind = (typeof PAIR_KINDS)[number];

/** `isVariant`: an accepted variant that many native speakers use, so the pair is no test. */
type MinimalPair = { syllable: string; kind: PairKind; isVariant: boolean };

type Parts = { onset: string; rime: string; tone: number };

/** The neutral tone occurs only after another syllable, so it cannot be tested alone. */
const NEUTRAL_TONE = 5;

/** Canonical spelling of a syllable; null if invalid or in the neutral tone. */
export function canonicalSyllable(language: SyllabicLanguage, text: string): string | null {
  const parts = parse(language, text);
  return parts === null ? null : format(language, parts);
}

/**
 * Canonical syllables of `existing` that differ from the spoken one in exactly one component, in
 * their order.
 */
export function minimalPairs(language: SyllabicLanguage, spoken: string, existing: Iterable<string>): MinimalPair[] {
  const parts = parse(language, spoken);
  if (parts === null) return [];
  const variants = new Set(language === 'cantonese' ? pronunciationVariants(spoken) : []);
  const pairs: MinimalPair[] = [];
  for (const syllable of existing) {
    const other = parse(language, syllable);
    const kind = other === null ? null : differenceOf(parts, other);
    if (kind !== null) pairs.push({ syllable, kind, isVariant: variants.has(syllable) });
  }
  return pairs;
}

function differenceOf(a: Parts, b: Parts): PairKind | null {
  const different = PAIR_KINDS.filter((part) =>
    part === 'rime' ? vowelClass(a.rime) !== vowelClass(b.rime) : a[part] !== b[part],
  );
  return different.length === 1 ? different[0]! : null;
}

/** The vowels of zi and zhi are determined by the onset, so they count as equal. */
function vowelClass(rime: string): string {
  return rime === 'ir' ? 'iz' : rime;
}

/** Splits a syllable into components; null if invalid. */
export function parse(language: SyllabicLanguage, text: string): Parts | null {
  if (language === 'cantonese') return parseSyllable(text);
  const parts = parsePinyin(text);
  return parts === null || parts.tone === NEUTRAL_TONE ? null : parts;
}

function format(language: SyllabicLanguage, parts: Parts): string {
  return language === 'cantonese' ? formatSyllable(parts) : formatPinyin(parts);
}
