import { encodeModelFile, narrowArray } from '#engines/builtin/decoder/model-file.ts';

/** A word of a small model: its text, readings (units separated by spaces) and count. */
type SmallWord = { text: string; readings: readonly string[]; count: number };

const LOG_STEP = 0.1;
const code = (p: number): number => Math.min(255, Math.round(-Math.log(p) / LOG_STEP));

/**
 * Writes a hand-made language model for tests: words, and pairs of them (`['ice', 'cream']`) of
 * which the second follows the first nearly always. Readings of a word are equally likely.
 */
export function smallModel(
  words: readonly SmallWord[],
  pairs: readonly (readonly [string, string])[] = [],
): Uint8Array {
  const all = [{ text: '', readings: [], count: words.length }, ...words];
  const total = all.reduce((sum, { count }) => sum + count, 0);
  const units = [...new Set(all.flatMap(({ readings }) => readings.flatMap((reading) => reading.split(' '))))].sort();
  const characters = [...new Set(all.flatMap(({ text }) => [...text]))];
  const pronunciations = all
    .flatMap(({ readings }, word) =>
      readings.map((reading) => ({ word, units: reading.split(' ').map((unit) => units.indexOf(unit)), readings })),
    )
    .sort((a, b) => compare(a.units, b.units) || (all[b.word]?.count ?? 0) - (all[a.word]?.count ?? 0));
  const following = all.map(({ text }) =>
    pairs
      .filter(([first]) => first === text)
      .map(([, second]) => all.findIndex((word) => word.text === second))
      .sort((a, b) => a - b),
  );
  const bigrams = following.flatMap((seconds) => seconds.map((second) => ({ second, p: 0.9 / seconds.length })));
  const zeros = bigrams.map(() => 0);
  return encodeModelFile(
    { syllables: units, characters: characters.join(''), logStep: LOG_STEP, description: 'a model for a test' },
    {
      'word.length': Uint8Array.from(all, ({ text }) => [...text].length),
      'word.characters': narrowArray(all.flatMap(({ text }) => [...text].map((char) => characters.indexOf(char)))),
      'word.logp': Uint8Array.from(all, ({ count }) => code(count / total)),
      'word.backoff': Uint8Array.from(following, (seconds) => (seconds.length > 0 ? code(0.1) : 0)),
      'pron.word': narrowArray(pronunciations.map(({ word }) => word)),
      'pron.logp': Uint8Array.from(pronunciations, ({ readings }) => code(1 / readings.length)),
      'pron.length': Uint8Array.from(pronunciations, (entry) => entry.units.length),
      'pron.syllables': narrowArray(pronunciations.flatMap((entry) => entry.units)),
      'bigram.count': narrowArray(following.map((seconds) => seconds.length)),
      'bigram.next': narrowArray(bigrams.map(({ second }) => second)),
      'bigram.logp': Uint8Array.from(bigrams, ({ p }) => code(p)),
      'bigram.backoff': Uint8Array.from(zeros),
      'trigram.count': Uint8Array.from(zeros),
      'trigram.next': new Uint8Array(0),
      'trigram.logp': new Uint8Array(0),
    },
  );
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
