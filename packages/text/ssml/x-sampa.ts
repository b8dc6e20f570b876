/** Signs of X-SAMPA whose phonetic sign is another; longer ones come first. */
const SIGNS: readonly (readonly [string, string])[] = [
  ['r\\`', 'ɹ'],
  ['r\\', 'ɹ'],
  ['@`', 'ɚ'],
  ['3`', 'ɝ'],
  ['_h', 'ʰ'],
  ['_}', ''],
  ['_^', ''],
  ['l_G', 'ɫ'],
  ['"', 'ˈ'],
  ['%', 'ˌ'],
  [':', 'ː'],
  ['=', ''],
  ['-', '.'],
  ['@', 'ə'],
  ['{', 'æ'],
  ['&', 'æ'],
  ['A', 'ɑ'],
  ['D', 'ð'],
  ['E', 'ɛ'],
  ['I', 'ɪ'],
  ['N', 'ŋ'],
  ['O', 'ɔ'],
  ['Q', 'ɒ'],
  ['S', 'ʃ'],
  ['T', 'θ'],
  ['U', 'ʊ'],
  ['V', 'ʌ'],
  ['W', 'ʍ'],
  ['Z', 'ʒ'],
  ['3', 'ɜ'],
  ['4', 'ɾ'],
  ['5', 'ɫ'],
];

/** Converts X-SAMPA, as in `p@"teItoU`, to the International Phonetic Alphabet. */
export function sampaToIpa(text: string): string {
  let ipa = '';
  for (let at = 0; at < text.length;) {
    const [written, sign] = SIGNS.find(([candidate]) => text.startsWith(candidate, at)) ?? [text[at]!, text[at]!];
    ipa += sign;
    at += written.length;
  }
  return ipa;
}
