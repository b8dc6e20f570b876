import { readJyutping } from '#text/pronunciation/parse-romanized.ts';
import type { SpokenRomanization } from '#text/pronunciation/written-syllables.ts';
import { textToJyutping } from '#text/readings/text-to-jyutping.ts';
import { isInUse } from './accepted-readings.ts';

/** Jyutping is written as it is spoken. */
export const JYUTPING_IN_TEXT: SpokenRomanization = {
  language: 'cantonese',
  parse: readJyutping,
  isInUse,
  // Words of English with a number: Iron Man3, Jan3.
  name: /^\p{Lu}\p{L}*[1-6]$/u,
  word: /[a-z]+[1-6]/giu,
  isWordEach: true,
  speak: (syllables) => syllables.map(({ text }) => text),
  readingsOf: (characters) => textToJyutping(characters).map(({ readings }) => readings),
};
