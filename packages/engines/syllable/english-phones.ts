/** A phone of English (ARPAbet); `stress` is null for a consonant, 0 to 2 for a vowel. */
export type EnglishPhone = { name: string; stress: number | null };

const VOWEL = /^[AEIOU]/;

/**
 * Parses phones. Words that no dictionary has come without stress, which is then on their first
 * full vowel, and have the weak vowel AX.
 */
export function parsePhones(phones: readonly string[]): EnglishPhone[] {
  const isStressed = phones.some((phone) => /\d$/.test(phone));
  const first = isStressed ? -1 : phones.findIndex((phone) => VOWEL.test(phone) && phone !== 'AX');
  return phones.map((phone, index) => {
    const name = phone.replace(/\d$/, '');
    if (!VOWEL.test(name)) return { name, stress: null };
    const stress = name === phone ? Number(index === first) : Number(phone.at(-1));
    return { name: name === 'AX' ? 'AH' : name, stress };
  });
}

export const isVowel = ({ stress }: EnglishPhone) => stress !== null;
