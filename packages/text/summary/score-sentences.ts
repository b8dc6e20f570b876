import type { Lexicon } from './lexicon.ts';
import { mapAtPace, type Pace } from './pace.ts';
import { rankSentences, similaritiesTo, type SentenceVectors } from './rank-sentences.ts';

/** Share of the transcript, at each of its ends, that holds greetings and goodbyes. */
const EDGE_SHARE = 0.05;
const MAX_COUNTED = 3;
/** Distances in sentences within the same passage, without the neighbors. */
const PASSAGE = { nearest: 2, farthest: 6 };
const MAX_TITLE_WORDS = 2;

/** Features of the sentence itself, each about 0 to 1 (`centrality` -1 to 1, 0 is the average). */
const OWN_FEATURES = [
  'centrality',
  'content',
  'substance',
  'number',
  'anecdote',
  'aside',
  'question',
  'edge',
  'courtesy',
  'dangling',
] as const;
/**
 * Features of the context: squared deviation from the average length, similarity to its passage,
 * kinds and lengths of the neighbors (question, story, figures), squared position in the
 * transcript (-1 to 1), words of the title.
 */
const PLACE_FEATURES = [
  'unusualLength',
  'passage',
  'lengthBefore',
  'lengthAfter',
  'questionBefore',
  'questionAfter',
  'anecdoteAfter',
  'numberAfter',
  'outside',
  'title',
] as const;
export const FEATURES = [...OWN_FEATURES, ...PLACE_FEATURES] as const;
export type Feature = (typeof FEATURES)[number];
type OwnFeatures = Record<(typeof OWN_FEATURES)[number], number>;
export type SentenceFeatures = Record<Feature, number>;

/** A transcript: its sentences in order, their content units and vectors. */
type ReadSentences = {
  sentences: readonly string[];
  units: readonly (readonly string[])[];
  vectors: SentenceVectors;
  titleUnits: readonly string[];
};

/** Features of all sentences in order. */
export async function featuresOf(read: ReadSentences, lexicon: Lexicon, pace: Pace): Promise<SentenceFeatures[]> {
  const sentenceFeatures = await ownFeatures(read, lexicon, pace);
  const lengths = logLengths(read.sentences);
  const title = new Set(read.titleUnits);
  const count = read.sentences.length;
  return mapAtPace(sentenceFeatures, pace, (features, index): SentenceFeatures => {
    const before = sentenceFeatures[index - 1];
    const after = sentenceFeatures[index + 1];
    const titleWords = [...new Set(read.units[index])].filter((unit) => title.has(unit)).length;
    return {
      ...features,
      unusualLength: lengths[index]! ** 2,
      passage: passageLikeness(read.vectors, index),
      lengthBefore: lengths[index - 1] ?? 0,
      lengthAfter: lengths[index + 1] ?? 0,
      questionBefore: before?.question ?? 0,
      questionAfter: after?.question ?? 0,
      anecdoteAfter: after?.anecdote ?? 0,
      numberAfter: after?.number ?? 0,
      outside: ((2 * index) / count - 1) ** 2,
      title: Math.min(MAX_TITLE_WORDS, titleWords) / MAX_TITLE_WORDS,
    };
  });
}

async function ownFeatures(
  { sentences, units, vectors }: ReadSentences,
  lexicon: Lexicon,
  pace: Pace,
): Promise<OwnFeatures[]> {
  const ranks = await rankSentences(vectors, pace);
  const edge = sentences.length < 12 ? 0 : Math.ceil(sentences.length * EDGE_SHARE);
  return mapAtPace(sentences, pace, (sentence, index): OwnFeatures => {
    const text = sentence.toLowerCase();
    const sentenceUnits = new Set(units[index]);
    return {
      centrality: Math.max(-1, Math.min(1, Math.log2(ranks[index]!) / 2)),
      content: Math.min(1, Math.log2(1 + sentenceUnits.size) / 4),
      substance: counted(text, lexicon.substance),
      number: counted(text, lexicon.number),
      anecdote: counted(text, lexicon.anecdote),
      aside: counted(text, lexicon.aside),
      question: lexicon.question.test(text) ? 1 : 0,
      edge: index < edge || index >= sentences.length - edge ? 1 : 0,
      courtesy: lexicon.courtesy.test(text) ? 1 : 0,
      dangling: lexicon.dangling.test(text) ? 1 : 0,
    };
  });
}

function counted(text: string, pattern: RegExp): number {
  return Math.min(MAX_COUNTED, text.match(pattern)?.length ?? 0) / MAX_COUNTED;
}

/** Logarithm of the length of each sentence relative to the average, −2 to 2. */
function logLengths(sentences: readonly string[]): number[] {
  const average = sentences.reduce((sum, { length }) => sum + length, 0) / Math.max(1, sentences.length);
  return sentences.map(({ length }) => Math.max(-2, Math.min(2, Math.log(length / average))));
}

/** Sum of the cosine similarities with the sentences of the passage, at most 1. */
function passageLikeness(vectors: SentenceVectors, index: number): number {
  const likeness = similaritiesTo(vectors, index);
  let sum = 0;
  for (let away = PASSAGE.nearest; away <= PASSAGE.farthest; away += 1) {
    if (index + away < vectors.units.length) sum += likeness(index + away);
    if (index >= away) sum += likeness(index - away);
  }
  return Math.min(1, sum);
}
