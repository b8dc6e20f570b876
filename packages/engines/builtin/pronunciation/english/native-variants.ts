import { ARPABET_PHONES } from '#engines/builtin/decoder/arpabet.ts';

/**
 * Phones that native speakers commonly use in place of another, in running speech (weak vowels, the
 * flap) or by accent (cot and caught; r after vowels). Entirely different pronunciations are in the
 * dictionary.
 */
const VARIANTS: Readonly<Record<string, string>> = {
  AX: 'IH AH UH ER',
  AH: 'AX',
  IH: 'AX',
  UH: 'AX',
  ER: 'AX AH',
  AA: 'AO',
  AO: 'AA',
  T: 'D',
};

const BY_COLUMN: readonly (readonly number[])[] = ['', ...ARPABET_PHONES].map((phone) =>
  (VARIANTS[phone]?.split(' ') ?? []).map((variant) => ARPABET_PHONES.indexOf(variant) + 1),
);

/** Returns the columns of the phones that may replace the phone of a column. */
export function nativeVariants(column: number): readonly number[] {
  return BY_COLUMN[column] ?? [];
}
