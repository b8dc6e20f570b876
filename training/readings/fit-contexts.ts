import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { AppError } from '@jyutsing/contracts/errors';
import { contextFeatures, RULE_ODDS, type StoredContexts } from '#packages/text/readings/context-model.ts';
import {
  createDictionary,
  dataOfPackage,
  openJyutpingDictionary,
} from '#packages/text/readings/jyutping-dictionary.ts';
import { ruledReadings } from '#packages/text/readings/rules/ruled-readings.ts';
import { pronunciationVariants } from '@jyutsing/text/syllables/jyutping';
import { isComparable, readUtterances } from './read-utterances.ts';

// node training/readings/fit-contexts.ts --texts FOLDER [--out FILE]: fits contexts.json of
// models/cantonese-readings to the conversations that are not held out, and to our examples.

const MODEL = fileURLToPath(new URL('../../models/cantonese-readings/contexts.json', import.meta.url));
const EXAMPLES = new URL('examples.tsv', import.meta.url);

/** How often a reading occurs at least. */
const MIN_COUNT = 4;
/** How often a feature occurs at least, in conversations and examples. */
const MIN_OCCURRENCES = 2;
const PENALTY = 1;
/** That on the weight of a rule, which few places have, and which stands for more than those. */
const RULE_PENALTY = 10;
const EPOCHS = 60;
const STEP_SIZE = 0.3;
/** Characters that transcribers write in two ways in the same words, 成個 seng4 go3 and sing4 go3. */
const DISPUTED = '成';
/** Weights that are all closer to zero are dropped. */
const MIN_WEIGHT = 0.1;

/**
 * A place of a character in a text with its reading. One of several alternatives of an example does
 * not tell how frequent its reading is.
 */
type Example = { characters: readonly string[]; at: number; reading: string; isChoice: boolean };
/** A place of a character: the features of its context, and its reading. */
type Place = { features: string[]; reading: string; isChoice: boolean };

const { values } = parseArgs({
  options: { texts: { type: 'string' }, out: { type: 'string', default: MODEL } },
});
if (values.texts === undefined) throw new AppError('invalid_request', 'Missing option: --texts FOLDER.');

const dictionary = createDictionary(dataOfPackage(), { costs: '', readings: [] });
const lexicon = openJyutpingDictionary();
const places = new Map<string, Place[]>();
const addPlace = ({ characters, at, reading, rule, isChoice }: Example & { rule: string | undefined }) => {
  const list = places.get(characters[at]!) ?? [];
  const features = contextFeatures(characters, at, rule);
  list.push({ features, reading: usualSound(characters[at]!, reading), isChoice });
  places.set(characters[at]!, list);
};
for (const { words, syllables, isHeldOut } of readUtterances(values.texts)) {
  if (isHeldOut) continue;
  const characters = Array.from(words.join(''));
  const ruled = ruledReadings(words.join(''));
  let at = 0;
  for (const word of words) {
    const end = at + Array.from(word).length;
    // Words of the dictionary have their readings.
    if (end - at > 1 && lexicon.wordsAt(characters, at).some(({ length }) => length === end - at)) at = end;
    for (; at < end; at += 1) {
      const [character, syllable, rule] = [characters[at]!, syllables[at]!, ruled.get(at)?.syllable];
      const isDisputed = DISPUTED.includes(character) && rule !== undefined && rule !== syllable;
      if (isComparable(character, syllable) && !isDisputed) {
        addPlace({ characters, at, reading: syllable, rule, isChoice: false });
      }
    }
  }
}
const exampleCharacters: string[] = [];
for (const { characters, at, reading, isChoice } of examples()) {
  exampleCharacters.push(characters[at]!);
  addPlace({ characters, at, reading, rule: ruledReadings(characters.join('')).get(at)?.syllable, isChoice });
}

// The characters of the examples are those whose reading words alone cannot tell.
const stored: StoredContexts = {};
for (const character of [...new Set(exampleCharacters)].toSorted()) {
  const fitted = fit(places.get(character)!);
  if (fitted !== null) stored[character] = fitted;
}
writeFileSync(values.out, `${JSON.stringify(stored)}\n`);
console.log(`${Object.keys(stored).length} characters`);

/** The dictionary's reading where a speaker merges sounds: ngaam1 for aam1. */
function usualSound(character: string, reading: string): string {
  const [usual = ''] = dictionary.wordsAt([character], 0)[0]?.readings[0] ?? [];
  return pronunciationVariants(usual).includes(reading) ? usual : reading;
}

/**
 * The examples: a reading on the left, then texts with the character in braces, `你{咪}嘈`, and
 * alternatives in parentheses, `(你|大家){咪}(嘈|郁)`.
 */
function* examples(): Iterable<Example> {
  for (const row of readFileSync(EXAMPLES, 'utf8').trim().split('\n').slice(1)) {
    const [reading = '', texts = ''] = row.split('\t');
    for (const [marked, isChoice] of texts.split(' ').flatMap(marksOf)) {
      const characters = Array.from(marked.replaceAll(/[{}]/g, ''));
      // A brace before the character, and two for each character before it.
      for (const [index, { index: start }] of [...marked.matchAll(/\{/g)].entries()) {
        yield { characters, at: Array.from(marked.slice(0, start)).length - 2 * index, reading, isChoice };
      }
    }
  }
}

function marksOf(pattern: string): [marked: string, isChoice: boolean][] {
  const texts = withAlternatives(pattern);
  return texts.map((text) => [text, texts.length > 1]);
}

/** The texts that a pattern stands for: one for each choice among its alternatives. */
function withAlternatives(pattern: string): string[] {
  const [, before = '', alternatives, after = ''] = /^([^(]*)\(([^)]*)\)(.*)$/u.exec(pattern) ?? [];
  if (alternatives === undefined) return [pattern];
  const endings = withAlternatives(after);
  return alternatives.split('|').flatMap((choice) => endings.map((ending) => before + choice + ending));
}

/**
 * Fits a regression with an L2 penalty by AdaGrad; null for a character with one reading. How
 * frequent its readings are (the feature '') comes from texts without alternatives.
 */
function fit(list: readonly Place[]): StoredContexts[string] | null {
  const counts = new Map<string, number>();
  const occurrences = new Map<string, number>();
  for (const { features, reading } of list) {
    counts.set(reading, (counts.get(reading) ?? 0) + 1);
    for (const feature of features) occurrences.set(feature, (occurrences.get(feature) ?? 0) + 1);
  }
  const readings = [...counts]
    .filter(([, count]) => count >= MIN_COUNT)
    .toSorted((one, other) => other[1] - one[1])
    .map(([reading]) => reading);
  if (readings.length < 2) return null;
  const names = [...occurrences].filter(([, count]) => count >= MIN_OCCURRENCES).map(([name]) => name);
  const numbers = new Map(names.map((name, index) => [name, index]));
  const rows = list
    .filter(({ reading }) => readings.includes(reading))
    .map(({ features, reading, isChoice }) => ({
      units: features.flatMap((name) => numbers.get(name) ?? []),
      target: readings.indexOf(reading),
      isChoice,
    }));
  /** The weights without texts: a rule is right. */
  const priors = readings.map((reading) => Float64Array.from(names, (name) => (name === reading ? RULE_ODDS : 0)));
  const frequent = descend(
    rows.filter(({ isChoice }) => !isChoice),
    priors,
    { names, readings, isBiasFixed: false },
  );
  const bias = numbers.get('')!;
  for (const [index, prior] of priors.entries()) prior[bias] = frequent[index]![bias]!;
  const weights = descend(rows, priors, { names, readings, isBiasFixed: true });
  const kept = names.flatMap((name, unit): [string, number[]][] => {
    const values = weights.map((list) => Math.round(list[unit]! * 100) / 100);
    return values.some((value) => Math.abs(value) >= MIN_WEIGHT) ? [[name, values]] : [];
  });
  return { readings, weights: Object.fromEntries(kept) };
}

type Row = { units: readonly number[]; target: number };
type Descent = { names: readonly string[]; readings: readonly string[]; isBiasFixed: boolean };

/** The weights of each reading, an array by feature, that fit the rows and stay near the priors. */
function descend(rows: readonly Row[], priors: readonly Float64Array[], descent: Descent): Float64Array[] {
  const { names, readings, isBiasFixed } = descent;
  const weights = priors.map((prior) => prior.slice());
  const squares = readings.map(() => new Float64Array(names.length).fill(1e-6));
  const penalties = names.map((name) => (name === '' ? 0 : readings.includes(name) ? RULE_PENALTY : PENALTY));
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    const gradients = readings.map(() => new Float64Array(names.length));
    for (const { units, target } of rows) {
      const odds = weights.map((list) => units.reduce((sum, unit) => sum + list[unit]!, 0));
      const highest = Math.max(...odds);
      const powers = odds.map((value) => Math.exp(value - highest));
      const total = powers.reduce((sum, power) => sum + power, 0);
      for (const [index, power] of powers.entries()) {
        const error = power / total - (index === target ? 1 : 0);
        for (const unit of units) gradients[index]![unit]! += error;
      }
    }
    for (const [index, gradient] of gradients.entries()) {
      for (const [unit, slope] of gradient.entries()) {
        if (isBiasFixed && names[unit] === '') continue;
        const step = slope + penalties[unit]! * (weights[index]![unit]! - priors[index]![unit]!);
        squares[index]![unit]! += step * step;
        weights[index]![unit]! -= (STEP_SIZE * step) / Math.sqrt(squares[index]![unit]!);
      }
    }
  }
  return weights;
}
