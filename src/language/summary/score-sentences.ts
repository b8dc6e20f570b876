import type { Lexicon } from './lexicon.ts';
import { mapAtPace, type Pace } from './pace.ts';
import { rankSentences, type SentenceVectors } from './rank-sentences.ts';

/** Share of the transcript at each end where greetings and goodbyes stand. */
const EDGE_SHARE = 0.05;
const MOST_COUNTED = 3;

/** What tells a sentence worth keeping, each about 0 to 1 (`centrality` and `repeated` about -1 to 1, averages 0). */
export const FEATURES = [
  'centrality',
  'content',
  'repeated',
  'substance',
  'number',
  'anecdote',
  'aside',
  'question',
  'edge',
  'courtesy',
  'dangling',
] as const;
export type Feature = (typeof FEATURES)[number];
export type SentenceFeatures = Record<Feature, number>;

/** The features of all sentences of one transcript, in order. `units` are those the vectors were made from. */
export async function featuresOf(
  sentences: readonly string[],
  units: readonly (readonly string[])[],
  vectors: SentenceVectors,
  lexicon: Lexicon,
  pace: Pace,
): Promise<SentenceFeatures[]> {
  const ranks = await rankSentences(vectors, pace);
  const frequencies = sentenceFrequencies(units);
  const edge = sentences.length < 12 ? 0 : Math.ceil(sentences.length * EDGE_SHARE);
  return mapAtPace(sentences, pace, (sentence, index): SentenceFeatures => {
    const text = sentence.toLowerCase();
    const own = new Set(units[index]);
    const repeated = [...own].filter((unit) => frequencies.get(unit)! > 1).length;
    return {
      centrality: Math.max(-1, Math.min(1, Math.log2(ranks[index]!) / 2)),
      content: Math.min(1, Math.log2(1 + own.size) / 4),
      repeated: own.size === 0 ? -0.5 : Math.min(1, Math.log2(1 + repeated) / 3) - 0.5,
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
  return Math.min(MOST_COUNTED, text.match(pattern)?.length ?? 0) / MOST_COUNTED;
}

function sentenceFrequencies(units: readonly (readonly string[])[]): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const own of units) for (const unit of new Set(own)) frequencies.set(unit, (frequencies.get(unit) ?? 0) + 1);
  return frequencies;
}
