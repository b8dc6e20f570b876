import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import simplifiedPhrases from 'opencc-js/dict/STPhrases';
import { AppError } from '@jyutsing/contracts/errors';
import { linesOf } from '../language-model/corpora.ts';
import { characterForms, type CharacterForms } from './character-forms.ts';
import { readSentences } from './read-sentences.ts';

/**
 * Writes `models/traditional-words/words.txt`: the Traditional words that have a character for
 * which Simplified writing has another one that also stands for other characters, with their
 * frequency.
 *
 *     node training/traditional-words/build.ts --texts FOLDER [--out FILE]
 *
 * FOLDER holds `rime-lexicon.tsv`, `rime-word-frequency.txt`, `hkcancor.tsv` and
 * `commonvoice-yue.txt`.
 */
const OUT = new URL('../../models/traditional-words/words.txt', import.meta.url);

/** The longest word, and the longest part of a sentence that counts as a word, in characters. */
const MAX_WORD = 5;
const MAX_PHRASE = 3;
/** Parts of sentences that occur less often are words of a list, or chance. */
const MIN_PHRASE_COUNT = 2;
/** Words of the list that occur less often are dropped, unless OpenCC converts them as a word. */
const MIN_WORD_COUNT = 5;
/** The count of a word that only OpenCC has. */
const LISTED_COUNT = 20;
/** The share of conversation and sentences in a probability; the rest is the word list. */
const SPOKEN_SHARE = 0.5;
/** The unit of the costs in the file, in nats. */
const STEP = 0.25;
/** The probability of what was counted nowhere. */
const LEAST = 1e-12;

const HAN_RUN = /\p{Script=Han}+/gu;

type Counts = Map<string, number>;

const { values } = parseArgs({ options: { texts: { type: 'string' }, out: { type: 'string' } } });
if (values.texts === undefined) throw new AppError('invalid_request', 'Missing option: --texts FOLDER.');
const forms = characterForms(values.texts);
const written = countWords(values.texts, forms);
const spoken = countPhrases(values.texts, forms, written);
writeFileSync(values.out ?? OUT, modelText(forms, costsOf(written, spoken)));

function add(counts: Counts, word: string, by: number): void {
  counts.set(word, (counts.get(word) ?? 0) + by);
}

/** The words of the lists in Hong Kong's usual characters. */
function countWords(folder: string, { usual, isDecided }: CharacterForms): Counts {
  const all: Counts = new Map();
  for (const line of linesOf(join(folder, 'rime-word-frequency.txt'))) {
    const [word = '', count = '0'] = line.split('\t');
    add(all, usual(word), Number(count) + 1);
  }
  const listed = new Set<string>();
  for (const pair of simplifiedPhrases.split('|')) listed.add(usual(pair.split(' ')[1] ?? ''));
  for (const word of listed) all.set(word, Math.max(all.get(word) ?? 0, LISTED_COUNT));
  for (const line of linesOf(join(folder, 'rime-lexicon.tsv'))) {
    const word = usual(line.split('\t')[0] ?? '');
    if (!all.has(word)) all.set(word, MIN_WORD_COUNT);
  }
  return new Map(
    [...all].filter(([word, count]) => {
      const { length } = [...word];
      return length === 1 || (length <= MAX_WORD && count >= MIN_WORD_COUNT && !isDecided(word));
    }),
  );
}

/** Characters of the sentences, and their parts with a character to decide. */
function countPhrases(folder: string, { usual, isDecided }: CharacterForms, words: Counts): Counts {
  const counts: Counts = new Map();
  for (const { text, isHeldOut } of readSentences(folder)) {
    if (isHeldOut) continue;
    for (const [run] of usual(text).matchAll(HAN_RUN)) {
      const characters = [...run];
      for (let from = 0; from < characters.length; from += 1) {
        add(counts, characters[from]!, 1);
        for (let length = 2; length <= MAX_PHRASE && from + length <= characters.length; length += 1) {
          const phrase = characters.slice(from, from + length).join('');
          if (!isDecided(phrase)) add(counts, phrase, 1);
        }
      }
    }
  }
  return new Map(
    [...counts].filter(([word, count]) => [...word].length === 1 || count >= MIN_PHRASE_COUNT || words.has(word)),
  );
}

/** The costs of all words and characters in steps of `STEP`: −ln of their probability. */
function costsOf(words: Counts, phrases: Counts): Map<string, number> {
  const totalOf = (counts: Counts) => [...counts.values()].reduce((sum, count) => sum + count, 0);
  const totals = { words: totalOf(words), phrases: totalOf(phrases) };
  const costs = new Map<string, number>();
  for (const word of new Set([...words.keys(), ...phrases.keys()])) {
    const inLists = (words.get(word) ?? 0) / totals.words;
    const inSpeech = (phrases.get(word) ?? 0) / totals.phrases;
    const probability = (1 - SPOKEN_SHARE) * inLists + SPOKEN_SHARE * inSpeech + LEAST;
    costs.set(word, Math.round(-Math.log(probability) / STEP));
  }
  return costs;
}

/** The layout is described in `packages/text/script/traditional-words.ts`. */
function modelText(characters: CharacterForms, costs: Map<string, number>): string {
  const { candidates, isDecided } = characters;
  const least = Math.round(-Math.log(LEAST) / STEP);
  for (const character of candidates) if (!costs.has(character)) costs.set(character, least);
  const byCost = Map.groupBy(
    [...costs.keys()].filter((word) => ([...word].length === 1 ? candidates.has(word) : !isDecided(word))).toSorted(),
    (word) => costs.get(word)!,
  );
  return [
    ...(['simplified', 'variants', 'shinjitai'] as const).map((name) => [name, ...pairsOf(characters[name])].join(' ')),
    ...[...byCost].toSorted(([one], [other]) => one - other).map(([cost, words]) => `${cost} ${words.join(' ')}`),
    '',
  ].join('\n');
}

function pairsOf(map: ReadonlyMap<string, string>): string[] {
  return [...map].map(([from, to]) => from + to).toSorted();
}
