import { ARPABET_PHONES } from '#engines/builtin/decoder/arpabet.ts';

/**
 * Phones that native speakers commonly have in place of another, in running speech (weak vowels, the flap) or by where they come from
 * (cot and caught; r after vowels). Words with another pronunciation altogether have it from the dictionary.
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

/** Columns of the phones that may stand for the phone of a column. */
export function nativeVariants(column: number): readonly number[] {
  return BY_COLUMN[column] ?? [];
}
