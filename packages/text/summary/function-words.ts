/** A Latin word; `it's` is one word. */
export const LATIN_WORD = /\p{Script=Latin}+(?:['’]\p{Script=Latin}+)?/gu;

/**
 * Function words of languages in Latin script besides English; nearly every sentence has one or
 * two.
 */
const WORDS_OF_OTHERS =
  "le la les des est et que qui pas une un je vous nous avec pour dans sur c'est el los las y es en por para con una no se del der die das und ist nicht ich wir sie ein eine mit auf zu den il di che per non sono gli della o os do da não uma com het een van en dat niet ik och att det som inte jag yang dan di ini itu untuk dengan tidak của và là không một bir ve bu için";

/** Function words that English lacks, and `more`. */
export function foreignFunctionWords(english: ReadonlySet<string>, more = ''): ReadonlySet<string> {
  const words = wordsOf(`${WORDS_OF_OTHERS} ${more}`.trim());
  return new Set([...words].filter((word) => !english.has(word)));
}

export function wordsOf(list: string): Set<string> {
  return new Set(list.split(' '));
}

/** Counts the matches of a global pattern. */
export function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
