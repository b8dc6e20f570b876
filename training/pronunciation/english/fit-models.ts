import { mean } from '@jyutsing/numeric/statistics';
import { ARPABET_PHONES } from '#packages/engines/builtin/decoder/arpabet.ts';
import { confusableSounds } from '#packages/engines/builtin/decoder/confusable-sounds.ts';
import { labelsFor } from '#packages/engines/builtin/decoder/synthetic-posteriors.ts';
import { nativeVariants } from '#packages/engines/builtin/pronunciation/english/native-variants.ts';
import {
  type Comparison,
  compareWords,
  type EnglishTarget,
} from '#packages/engines/builtin/pronunciation/english/compare-words.ts';
import { agreementFeatures, phoneFeatures } from '#packages/engines/builtin/pronunciation/english/features.ts';
import type { ScoreModel } from '#packages/engines/builtin/pronunciation/english/score-model.ts';
import {
  phoneScores,
  scoreWords,
  sentenceFeatures,
  wordInSentence,
} from '#packages/engines/builtin/pronunciation/english/score-words.ts';
import type { AnalyzedLearner, JudgedWord } from './learners.ts';
import { type Example, fitLogistic, spreadAsTargets } from './logistic-regression.ts';

/**
 * `right`: the text that was read; `other`: another learner's text; `exchanged`: the word at
 * `wordIndex` replaced by another; `confused`: the phone `phone` of the word at `wordIndex`
 * replaced by a similar one.
 */
export type Trial = {
  learner: AnalyzedLearner;
  comparison: Comparison;
  kind: 'right' | 'other' | 'exchanged' | 'confused';
  wordIndex: number;
  phone: number;
};

/**
 * Compares every recording with its text, another one's, and its text with an exchanged word or
 * phone.
 */
export function makeTrials(learners: readonly AnalyzedLearner[], random: () => number): Trial[] {
  return learners.flatMap((learner) => {
    const { analysis, target } = learner;
    // Held-out learners get texts of held-out learners only.
    const otherLearners = learners.filter(
      ({ isHeldOut, text }) => isHeldOut === learner.isHeldOut && text !== learner.text,
    );
    const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
    const length = target.units.length;
    const alike = otherLearners.filter((candidate) => Math.abs(candidate.target.units.length - length) <= 2);
    const other = pick(alike.length > 0 ? alike : otherLearners);
    const { wordIndex, changed } = exchangeWord(target, () => pick(otherLearners)?.target, random);
    const trial = (kind: Trial['kind'], against: EnglishTarget, at = wordIndex, phone = -1): Trial => ({
      learner,
      comparison: compareWords(analysis, against),
      kind,
      wordIndex: at,
      phone,
    });
    const confused = confusePhone(learner, random);
    return [
      trial('right', target),
      ...(other ? [trial('other', other.target)] : []),
      trial('exchanged', changed),
      ...(confused === null ? [] : [trial('confused', confused.target, confused.wordIndex, confused.phone)]),
    ];
  });
}

function exchangeWord(target: EnglishTarget, pickTarget: () => EnglishTarget | undefined, random: () => number) {
  const wordIndex = Math.floor(random() * target.units.length);
  const old = target.units[wordIndex];
  const phones = old?.kind === 'word' ? (old.pronunciations[0] ?? []) : [];
  for (let attempt = 0; attempt < 200; attempt++) {
    const units = pickTarget()?.units ?? [];
    const candidate = units[Math.floor(random() * units.length)];
    if (candidate?.kind !== 'word') continue;
    const spelling = candidate.pronunciations[0] ?? [];
    if (Math.abs(spelling.length - phones.length) > 1 || spelling.some((phone) => phones.includes(phone))) continue;
    return {
      wordIndex,
      changed: { ...target, units: target.units.map((unit, index) => (index === wordIndex ? candidate : unit)) },
    };
  }
  return { wordIndex: -1, changed: target };
}

/**
 * Replaces a phone of a well pronounced word by a wrong one, so that the recording mispronounces
 * it.
 */
function confusePhone({ target, words }: AnalyzedLearner, random: () => number) {
  const units = target.units.filter((unit) => unit.kind === 'word');
  if (units.length !== words.length || units.length !== target.units.length) return null;
  const well = units.flatMap((_, index) => ((words[index]?.accuracy ?? 0) >= WELL_PRONOUNCED ? [index] : []));
  const wordIndex = well[Math.floor(random() * well.length)];
  const word = wordIndex === undefined ? undefined : units[wordIndex];
  if (wordIndex === undefined || word === undefined) return null;
  const spelling = word.pronunciations[0] ?? [];
  const phone = Math.floor(random() * spelling.length);
  const old = spelling[phone] ?? '';
  const groups = confusableSounds(labelsFor('english')).filter((group) => group.includes(old));
  const rivals = groups
    .flat()
    .filter((symbol) => symbol !== old && !mayStandFor(old, symbol) && !mayStandFor(symbol, old));
  const rival = rivals[Math.floor(random() * rivals.length)];
  if (rival === undefined) return null;
  const wrong = spelling.map((symbol, at) => (at === phone ? rival : symbol));
  if (word.pronunciations.some((pronunciation) => pronunciation.join(' ') === wrong.join(' '))) return null;
  const changed = { ...word, pronunciations: [wrong] };
  return {
    wordIndex,
    phone,
    target: { ...target, units: units.map((unit, index) => (index === wordIndex ? changed : unit)) },
  };
}

function mayStandFor(expected: string, recognized: string): boolean {
  return nativeVariants(ARPABET_PHONES.indexOf(expected) + 1).includes(ARPABET_PHONES.indexOf(recognized) + 1);
}

const WELL_PRONOUNCED = 0.9;
/** Approximate rating of a word with a wrong phone. */
const CONFUSED_ACCURACY = 0.5;

/** Weights of examples without human ratings: pairings with wrong texts. */
const NEGATIVE_WEIGHT = { phone: 0.05, word: 0.02, confusedPhone: 1.5, confusedWord: 0.5 };
const PENALTIES = { phone: 3, word: 10, wordSaid: 10, textSaid: 3, sentence: 20 };
/** Words rated below this give no evidence on whether the word was spoken. */
const SPOKEN_ACCURACY = 0.5;

/** Fits phones, then words with their phones' scores, then sentences with their words' scores. */
export function fitModels(trials: readonly Trial[], frameMs: number): ScoreModel {
  const phone = fitLogistic(phoneExamples(trials), PENALTIES.phone);
  const blank = { mean: [], deviation: [], weights: [], bias: 0 };
  let model: ScoreModel = { phone, word: blank, wordSaid: blank, textSaid: blank, accuracy: blank, fluency: blank };
  const scored = trials.map((trial) => ({ ...trial, phones: phoneScores(trial.comparison, model) }));
  const words: Example[] = [];
  const spokenWords: Example[] = [];
  for (const { comparison, phones, kind, wordIndex, learner } of scored) {
    comparison.words.forEach(({ spoken }, index) => {
      if (spoken === null) return;
      const features = wordInSentence(comparison, phones, index, frameMs);
      const isWrong = kind === 'other' || index === wordIndex;
      if (kind === 'right') {
        const judged = judgedWord(learner, comparison, index);
        if (judged === undefined) return;
        words.push({ features, target: judged.accuracy, weight: 1 });
        if (judged.accuracy >= SPOKEN_ACCURACY) spokenWords.push({ features, target: 1, weight: 1 });
      } else if (kind === 'confused') {
        if (index === wordIndex)
          words.push({ features, target: CONFUSED_ACCURACY, weight: NEGATIVE_WEIGHT.confusedWord });
      } else if (isWrong) {
        words.push({ features, target: 0, weight: NEGATIVE_WEIGHT.word });
        if (kind === 'exchanged') spokenWords.push({ features, target: 0, weight: 1 });
      }
    });
  }
  model = {
    ...model,
    word: fitLogistic(
      words,
      PENALTIES.word,
      words.filter(({ weight }) => weight === 1),
    ),
    wordSaid: fitLogistic(spokenWords, PENALTIES.wordSaid),
    textSaid: fitLogistic(
      scored
        .filter(({ kind }) => kind === 'right' || kind === 'other')
        .map(({ comparison, phones, kind }) => ({
          features: agreementFeatures(comparison, phones),
          target: Number(kind === 'right'),
          weight: 1,
        })),
      PENALTIES.textSaid,
    ),
  };
  const sentences = scored
    .filter(({ kind }) => kind === 'right')
    .map(({ comparison, phones, learner }) => ({
      learner,
      features: sentenceFeatures(comparison, phones, scoreWords(comparison, model, frameMs).ungated),
    }));
  const fitted = (of: 'accuracy' | 'fluency') => {
    const examples = sentences.map(({ learner, features }) => ({ features, target: learner[of], weight: 1 }));
    return spreadAsTargets(fitLogistic(examples, PENALTIES.sentence), examples);
  };
  return { ...model, accuracy: fitted('accuracy'), fluency: fitted('fluency') };
}

/** The rating of a word; none if the raters split the text into other words. */
export function judgedWord(learner: AnalyzedLearner, { words }: Comparison, index: number): JudgedWord | undefined {
  return words.length === learner.words.length ? learner.words[index] : undefined;
}

/**
 * Ratings of a word's phones, 0–1; null if the raters noted another pronunciation than the compared
 * one.
 */
export function judgedPhones(judged: JudgedWord, columns: readonly number[]): (number | null)[] {
  const agreeing = judged.raters.filter(
    (phones) =>
      phones.length === columns.length &&
      phones.every(({ phone }, at) => alike(phone, ARPABET_PHONES[(columns[at] ?? 0) - 1] ?? '')),
  );
  return columns.map((_, at) =>
    agreeing.length < 2 ? null : mean(agreeing.map((phones) => phones[at]?.quality ?? 0)),
  );
}

/** Raters and dictionaries spell weak vowels differently. */
function alike(a: string, b: string): boolean {
  const weak = ['AX', 'IH', 'AH', 'ER', 'UH', 'EH'];
  const open = ['AA', 'AO', 'AH'];
  return a === b || [weak, open].some((group) => group.includes(a) && group.includes(b));
}

function phoneExamples(trials: readonly Trial[]): Example[] {
  return trials.flatMap(({ learner, comparison, kind, wordIndex, phone: confused }) =>
    comparison.words.flatMap(({ columns, spoken }, index) => {
      if (spoken === null) return [];
      if (kind === 'right') {
        const judged = judgedWord(learner, comparison, index);
        const qualities = judged === undefined ? [] : judgedPhones(judged, columns);
        return spoken.phones.flatMap((phone, at) => {
          const target = qualities[at] ?? null;
          return target === null ? [] : [{ features: phoneFeatures(phone), target, weight: 1 }];
        });
      }
      if (kind === 'other' || index !== wordIndex) return [];
      if (kind === 'confused') {
        const wrong = spoken.phones[confused];
        return wrong === undefined
          ? []
          : [{ features: phoneFeatures(wrong), target: 0, weight: NEGATIVE_WEIGHT.confusedPhone }];
      }
      return spoken.phones.map((phone) => ({
        features: phoneFeatures(phone),
        target: 0,
        weight: NEGATIVE_WEIGHT.phone,
      }));
    }),
  );
}
