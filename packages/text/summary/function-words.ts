/** A word in Latin letters, `it's` as one. */
export const LATIN_WORD = /\p{Script=Latin}+(?:['’]\p{Script=Latin}+)?/gu;

/** Function words of other languages than English in Latin letters; one or two of them occur in each of their sentences. */
const WORDS_OF_OTHERS =
  "le la les des est et que qui pas une un je vous nous avec pour dans sur c'est el los las y es en por para con una no se del der die das und ist nicht ich wir sie ein eine mit auf zu den il di che per non sono gli della o os do da não uma com het een van en dat niet ik och att det som inte jag yang dan di ini itu untuk dengan tidak của và là không một bir ve bu için";

/** The same without those that English has too, which tell nothing; `more` are those that one more reader looks for. */
export function wordsOfOthers(english: ReadonlySet<string>, more = ''): ReadonlySet<string> {
  const words = wordsOf(`${WORDS_OF_OTHERS} ${more}`.trim());
  return new Set([...words].filter((word) => !english.has(word)));
}

export function wordsOf(list: string): Set<string> {
  return new Set(list.split(' '));
}

/** How often a pattern, which must be global, occurs. */
export function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
