/** A phone of English (ARPAbet); `stress` is null for a consonant, 0 to 2 for a vowel. */
export type EnglishPhone = { name: string; stress: number | null };

export function parsePhone(phone: string): EnglishPhone {
  const stress = /\d$/.exec(phone)?.[0];
  return { name: phone.replace(/\d$/, ''), stress: stress === undefined ? null : Number(stress) };
}

export const isVowel = ({ stress }: EnglishPhone) => stress !== null;
