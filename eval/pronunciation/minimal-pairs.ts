import { formatSyllable, parseSyllable, pronunciationVariants } from '@jyutsing/text/jyutping';
import { formatPinyin, parsePinyin } from '@jyutsing/text/pinyin';
import type { SyllabicLanguage } from '#packages/engines/builtin/decoder/types.ts';

/** What a syllable differs in from the one that is said. */
export const PAIR_KINDS = ['tone', 'onset', 'rime'] as const;
export type PairKind = (typeof PAIR_KINDS)[number];

/** `isVariant`: many native speakers say the one for the other, so it is accepted and no test of anything. */
export type MinimalPair = { syllable: string; kind: PairKind; isVariant: boolean };

type Parts = { onset: string; rime: string; tone: number };

/** The neutral tone exists only after another syllable: on its own it can be neither said nor refused. */
const NEUTRAL_TONE = 5;

/** One spelling for one syllable, or null for what is none or has no tone of its own (see `NEUTRAL_TONE`). */
export function canonicalSyllable(language: SyllabicLanguage, text: string): string | null {
  const parts = parse(language, text);
  return parts === null ? null : format(language, parts);
}

/** The syllables among `existing` (canonical ones) that differ from `said` in exactly one of tone, onset and rime; in the order of `existing`. */
export function minimalPairs(language: SyllabicLanguage, said: string, existing: Iterable<string>): MinimalPair[] {
  const parts = parse(language, said);
  if (parts === null) return [];
  const variants = new Set(language === 'cantonese' ? pronunciationVariants(said) : []);
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

/** The vowels of zi and zhi follow from the onset: zi and zhi differ in nothing else. */
function vowelClass(rime: string): string {
  return rime === 'ir' ? 'iz' : rime;
}

/** A syllable taken apart; null for what is none. */
export function parse(language: SyllabicLanguage, text: string): Parts | null {
  if (language === 'cantonese') return parseSyllable(text);
  const parts = parsePinyin(text);
  return parts === null || parts.tone === NEUTRAL_TONE ? null : parts;
}

function format(language: SyllabicLanguage, parts: Parts): string {
  return language === 'cantonese' ? formatSyllable(parts) : formatPinyin(parts);
}
