/** The pronunciations of a lower-case word as ARPAbet phones with stress; empty: unknown word. */
export type Dictionary = (word: string) => string[][];

/** Variants are numbered: `read`, `read(2)`. */
const MAX_VARIANTS = 6;

/**
 * Loads the CMU Pronouncing Dictionary (135,155 entries of General American, BSD). Takes a quarter
 * of a second and 70 MB.
 */
export async function openDictionary(): Promise<Dictionary> {
  const { dictionary } = await import('cmu-pronouncing-dictionary');
  return (word) => {
    const pronunciations: string[][] = [];
    for (let variant = 1; variant <= MAX_VARIANTS; variant += 1) {
      const entry = variant === 1 ? word : `${word}(${variant})`;
      if (!Object.hasOwn(dictionary, entry)) break;
      pronunciations.push(entryPhones(dictionary[entry] ?? ''));
    }
    return pronunciations;
  };
}

/** The phones of an entry, without the remark after some of them (`# org, irish`). */
export function entryPhones(entry: string): string[] {
  return entry.replace(/\s*#.*$/, '').split(' ');
}

/**
 * ARPAbet phones with stress by the names of the acoustic model: `AH0` is `AX`, all others lose
 * their digit.
 */
export function modelPhones(phones: readonly string[]): string[] {
  return phones.map((phone) => (phone === 'AH0' ? 'AX' : phone.replace(/\d$/, '')));
}
