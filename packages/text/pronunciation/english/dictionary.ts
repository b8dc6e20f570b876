/** Pronunciations of a word in lower case as phones of ARPAbet with their stress; none: it does not know the word. */
export type Dictionary = (word: string) => string[][];

/** Variants are numbered: `read`, `read(2)`. */
const MOST_VARIANTS = 6;

/** The CMU Pronouncing Dictionary (135,155 entries of General American, BSD). Takes a quarter of a second and 70 MB. */
export async function openDictionary(): Promise<Dictionary> {
  const { dictionary } = await import('cmu-pronouncing-dictionary');
  return (word) => {
    const pronunciations: string[][] = [];
    for (let variant = 1; variant <= MOST_VARIANTS; variant += 1) {
      const entry = variant === 1 ? word : `${word}(${variant})`;
      if (!Object.hasOwn(dictionary, entry)) break;
      pronunciations.push(entryPhones(dictionary[entry] ?? ''));
    }
    return pronunciations;
  };
}

/** The phones of an entry, without the remark that some have behind them (`# org, irish`). */
export function entryPhones(entry: string): string[] {
  return entry.replace(/\s*#.*$/, '').split(' ');
}

/** Phones of ARPAbet with stress as the acoustic model names them: `AH0` is `AX`, all others lose their digit. */
export function modelPhones(phones: readonly string[]): string[] {
  return phones.map((phone) => (phone === 'AH0' ? 'AX' : phone.replace(/\d$/, '')));
}
