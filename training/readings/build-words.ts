import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { AppError } from '@jyutsing/contracts/errors';
import { createDictionary, dataOfPackage } from '#packages/text/readings/jyutping-dictionary.ts';
import { COST_STEP, loadCorrections, MAX_COST } from '#packages/text/readings/word-list.ts';
import { loadShippedCorpora } from '@jyutsing/text/corpora/load-shipped-corpora';
import { isSyllable, normalizeSyllable, pronunciationVariants } from '@jyutsing/text/syllables/jyutping';
import { linesOf } from '../language-model/corpora.ts';
import { isComparable, readUtterances } from './read-utterances.ts';

// node training/readings/build-words.ts --texts FOLDER [--out FOLDER]: writes how frequent words
// are (word-costs.txt), the words that people or the lexicon read otherwise than the package
// to-jyutping (word-readings.tsv), and what scoring accepts (further-readings.tsv).

const MODEL = fileURLToPath(new URL('../../models/cantonese-readings', import.meta.url));
/** Fused numerals, particles whose tone marks a mood, and characters written for two words. */
const HAND_MADE = new URL('further.tsv', import.meta.url);
const CORPORA = fileURLToPath(new URL('../../corpora', import.meta.url));
/** The share of conversation in the frequency of words; the rest is that of written texts. */
const SPOKEN_SHARE = 0.5;
/** The longest word of the lexicon that conversation may split, in words. */
const MAX_WORD = 4;
/** How often conversation splits a word at least to tell that it is none. */
const MIN_SPLIT_COUNT = 2;
/** How often a word is read otherwise in conversation at least, and in what share of its places. */
const MIN_SPOKEN_COUNT = 3;
const MIN_SPOKEN_SHARE = 0.75;

/** Particles at the end of a phrase, whose tone is that of a mood. */
const PARTICLE = /[^啊呀㗎喇][啊呀喎㗎喇啦咯喔吖囉啫嗎嘅]$/u;
/** How often a character is said at least, to tell how it is never said. */
const MIN_KNOWN_COUNT = 20;
/** The share of the words with a character in which a reading may be a slip of the lexicon. */
const MAX_SLIP_SHARE = 0.04;

/** How often people say a further reading at least, and in what share of the places of a word. */
const MIN_ACCEPTED_COUNT = 2;
const MIN_ACCEPTED_SHARE = 0.1;

const { values } = parseArgs({
  options: { texts: { type: 'string' }, out: { type: 'string', default: MODEL } },
});
if (values.texts === undefined) throw new AppError('invalid_request', 'Missing option: --texts FOLDER.');
const folder = values.texts;

type Counts = Map<string, number>;
const add = (counts: Counts, key: string, by: number) => counts.set(key, (counts.get(key) ?? 0) + by);

const utterances = readUtterances(folder).filter(({ isHeldOut }) => !isHeldOut);
/** The usual readings of each word of the lexicon; those that it marks are rare or obsolete. */
const lexicon = new Map<string, string[]>();
/** In how many longer words of the lexicon a character stands, and with each syllable. */
const placesInLexicon: Counts = new Map();
for (const line of linesOf(join(folder, 'rime-lexicon.tsv'))) {
  const [word = '', jyutping = '', mark = ''] = line.split('\t');
  const usual = lexicon.get(word) ?? [];
  const syllables = jyutping.split(' ').map((syllable) => normalizeSyllable(syllable) ?? syllable);
  // A character that is read as two syllables, 卅, has no place for the second.
  if (mark === '' && syllables.length === Array.from(word).length) usual.push(syllables.join(' '));
  lexicon.set(word, usual);
  const characters = Array.from(word);
  if (characters.length === 1 || syllables.length !== characters.length) continue;
  for (const [at, character] of characters.entries()) {
    add(placesInLexicon, character, 1);
    add(placesInLexicon, character + syllables[at]!, 1);
  }
}

const written: Counts = new Map();
for (const line of linesOf(join(folder, 'rime-word-frequency.txt'))) {
  const [word = '', count = '0'] = line.split('\t');
  if (lexicon.has(word)) add(written, word, Number(count));
}
const spoken: Counts = new Map();
/** For each word, how often it is read in each way. */
const readings = new Map<string, Counts>();
/** How often each character is said, and with each syllable. */
const said: Counts = new Map();
for (const { words, syllables } of utterances) {
  let at = 0;
  for (const word of words) {
    const characters = Array.from(word);
    const reading = syllables.slice(at, (at += characters.length));
    add(spoken, word, 1);
    for (const [index, character] of characters.entries()) {
      add(said, character, 1);
      add(said, character + reading[index]!, 1);
    }
    if (!characters.every((character, index) => isComparable(character, reading[index]!))) continue;
    const counts = readings.get(word) ?? new Map<string, number>();
    readings.set(word, counts);
    add(counts, reading.join(' '), 1);
  }
}

/** How often the characters of a word of the lexicon are several words in conversation. */
const split: Counts = new Map();
for (const { words } of utterances) {
  for (const from of words.keys()) {
    let joined = words[from]!;
    for (const word of words.slice(from + 1, from + MAX_WORD)) {
      joined += word;
      if (written.has(joined)) add(split, joined, 1);
    }
  }
}
for (const [word, count] of split) {
  const whole = spoken.get(word) ?? 0;
  // Counts of written texts are counts of their characters, so that 都會 "will all" is a metropolis.
  if (count >= MIN_SPLIT_COUNT) written.set(word, (written.get(word)! * (whole + 0.1)) / (whole + count));
}

const total = (counts: Counts) => [...counts.values()].reduce((sum, count) => sum + count, 0);
const [writtenTotal, spokenTotal] = [total(written), total(spoken)];
const byCost = new Map<number, string[]>();
for (const word of new Set([...written.keys(), ...spoken.keys()])) {
  const share =
    ((1 - SPOKEN_SHARE) * (written.get(word) ?? 0)) / writtenTotal +
    (SPOKEN_SHARE * (spoken.get(word) ?? 0)) / spokenTotal;
  const cost = -Math.log(share);
  if (!/^\p{Script=Han}+$/u.test(word)) continue;
  const steps = Math.round(Math.min(cost, MAX_COST) / COST_STEP);
  const sameCost = byCost.get(steps) ?? [];
  sameCost.push(word);
  byCost.set(steps, sameCost);
}
const lines = [...byCost].toSorted(([one], [other]) => one - other);
writeFileSync(
  join(values.out, 'word-costs.txt'),
  lines.map(([steps, words]) => `${steps} ${words.toSorted().join(' ')}\n`).join(''),
);

const dictionary = createDictionary(dataOfPackage(), {
  costs: `1 ${[...readings.keys(), ...lexicon.keys()].filter((word) => /^\p{Script=Han}+$/u.test(word)).join(' ')}\n`,
  readings: [],
});

/** The readings of a word in the package, the usual one first; empty if it is no word there. */
function listedReadings(word: string): string[] {
  const characters = Array.from(word);
  const found = dictionary.wordsAt(characters, 0).at(-1);
  return found?.length === characters.length ? found.readings.map((reading) => reading.join(' ')) : [];
}

/** Whether two readings differ by no more than merged sounds: ngaam1 and aam1. */
function isSame(one: string, other: string): boolean {
  const compared = other.split(' ');
  return one.split(' ').every((syllable, index) => {
    return syllable === compared[index] || pronunciationVariants(syllable).includes(compared[index] ?? '');
  });
}

/** Whether a character has a syllable that few words have and conversation never has. */
function hasSlip(word: string, reading: string): boolean {
  const syllables = reading.split(' ');
  return Array.from(word).some((character, at) => {
    const places = placesInLexicon.get(character) ?? 0;
    const alike = placesInLexicon.get(character + syllables[at]!) ?? 0;
    const isKnown =
      (said.get(character) ?? 0) >= MIN_KNOWN_COUNT && lexicon.get(character)?.includes(syllables[at]!) !== true;
    return isKnown && !said.has(character + syllables[at]!) && alike <= MAX_SLIP_SHARE * places;
  });
}

const rows = new Map<string, string>();
/** The readings of words that scoring accepts beside the dictionary's: word → readings. */
const further = new Map<string, Set<string>>();
const addFurther = (word: string, reading: string) => {
  if (!reading.split(' ').every(isSyllable) || listedReadings(word).some((one) => isSame(one, reading))) return;
  further.set(word, (further.get(word) ?? new Set<string>()).add(reading));
};
for (const [word, usual] of lexicon) {
  const listed = listedReadings(word);
  const [reading] = usual;
  // The context says more than the lexicon of single characters and of questions (會唔會).
  if (Array.from(word).length === 1 || /(.)唔\1/u.test(word)) continue;
  if (reading === undefined || listed.length === 0 || !reading.split(' ').every(isSyllable)) continue;
  if (!written.has(word) && (PARTICLE.test(word) || hasSlip(word, reading))) continue;
  if (!listed.some((one) => usual.some((other) => isSame(one, other)))) rows.set(word, `${word}\t${reading}`);
  for (const one of usual) addFurther(word, one);
}
for (const [word, counts] of readings) {
  if (Array.from(word).length === 1) continue;
  for (const [one, count] of counts) {
    if (count >= MIN_ACCEPTED_COUNT && count >= MIN_ACCEPTED_SHARE * total(counts)) addFurther(word, one);
  }
  const [[reading, count] = ['', 0]] = [...counts].toSorted((one, other) => other[1] - one[1]);
  if (count < MIN_SPOKEN_COUNT || count < MIN_SPOKEN_SHARE * total(counts)) continue;
  if (!reading.split(' ').every(isSyllable)) continue;
  const [listed] = listedReadings(word);
  if (listed === undefined || !isSame(listed, reading)) rows.set(word, `${word}\t${reading}`);
}
const corrections = loadCorrections();
for (const word of rows.keys()) {
  if (!written.has(word) && contradictsCorrection(word, rows.get(word)!.slice(word.length + 1))) rows.delete(word);
}
for (const [part, reading] of readParts()) {
  if (rows.has(part) && rows.get(part) !== `${part}\t${reading}`) rows.delete(part);
}
// A row replaces what the package lists, so that what else is usual has to be accepted by itself.
for (const [word, row] of rows) acceptBeside(word, row.slice(word.length + 1));
for (const [word, syllables] of corrections) {
  const reading = syllables.join(' ');
  if (syllables.length > 1 && lexicon.get(word)?.includes(reading) === true) acceptBeside(word, reading);
}

/** Whether a phrase of the lexicon has a word that was corrected, with another reading. */
function contradictsCorrection(word: string, reading: string): boolean {
  const [characters, syllables] = [Array.from(word), reading.split(' ')];
  return characters.some((_, from) =>
    characters.some((__, to) => {
      const corrected = to > from ? corrections.get(characters.slice(from, to + 1).join('')) : undefined;
      return corrected !== undefined && !isSame(corrected.join(' '), syllables.slice(from, to + 1).join(' '));
    }),
  );
}

/** Accepts the usual readings of the lexicon beside the one that a word is read by. */
function acceptBeside(word: string, reading: string): void {
  for (const one of lexicon.get(word) ?? []) {
    if (isSame(reading, one) || !one.split(' ').every(isSyllable)) continue;
    further.set(word, (further.get(word) ?? new Set<string>()).add(one));
  }
}

writeFileSync(
  join(values.out, 'word-readings.tsv'),
  ['word\tjyutping', ...[...rows.values()].toSorted(), ''].join('\n'),
);

writeFileSync(
  join(values.out, 'further-readings.tsv'),
  [
    'word\tjyutping of each further reading',
    ...linesOf(fileURLToPath(HAND_MADE)).slice(1).map(withCounted),
    ...[...further]
      .flatMap(([word, list]) => {
        const rest = [...list].filter((reading) => rows.get(word) !== `${word}\t${reading}`);
        return rest.length === 0 ? [] : [[word, ...rest].join('\t')];
      })
      .toSorted(),
    '',
  ].join('\n'),
);

/** A row that was made by hand, with the readings that were counted, which are used up. */
function withCounted(row: string): string {
  const [word = '', ...handMade] = row.split('\t');
  const counted = [...(further.get(word) ?? [])].filter((reading) => !handMade.includes(reading));
  further.delete(word);
  return [word, ...handMade, ...counted].join('\t');
}

/** The shipped terms and their parts, with the readings there, which were reviewed. */
function* readParts(): Iterable<[part: string, reading: string]> {
  for (const { entries } of loadShippedCorpora(CORPORA)) {
    for (const { text, jyutping } of entries) {
      const [characters, syllables] = [Array.from(text), jyutping?.split(' ') ?? []];
      if (characters.length !== syllables.length) continue;
      for (const from of characters.keys()) {
        for (let to = from + 2; to <= characters.length; to += 1) {
          yield [characters.slice(from, to).join(''), syllables.slice(from, to).join(' ')];
        }
      }
    }
  }
}
