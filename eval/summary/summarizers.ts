import { startPace } from '#packages/text/summary/pace.ts';
import { rankSentences, vectorsOf } from '#packages/text/summary/rank-sentences.ts';
import { LEXICONS, sentencesOf, summarizeText } from '@jyutsing/text/summary/summarize-text';
import type { SummaryLanguage } from '@jyutsing/contracts/summarizer';
import { seededRandom } from './transcripts.ts';

/** Summary length as a share of the transcript, as in the service. */
export const LENGTH_SHARE = 0.15;
const RANDOM_DRAWS = 20;

/** Makes one or more summaries of a text; figures are averaged over them. */
export type Summarizer = {
  name: string;
  summarize: (text: string, language: SummaryLanguage, title: string | null) => Promise<string[]>;
};

/**
 * The built-in summarizer, then baselines with the same sentences and length. Only `LexRank alone`
 * analyses them.
 */
export const SUMMARIZERS: readonly Summarizer[] = [
  {
    name: 'ours',
    summarize: async (text, language, title) => [await summarizeText(text, { language, title, share: LENGTH_SHARE })],
  },
  {
    name: 'LexRank alone',
    summarize: baseline(async (sentences, language) => {
      const units = sentences.map((sentence) => LEXICONS[language].units(sentence.toLowerCase()));
      const ranks = await rankSentences(await vectorsOf(units, startPace()), startPace());
      return [sentences.map((_, index) => index).toSorted((a, b) => ranks[b]! - ranks[a]!)];
    }),
  },
  { name: 'beginning', summarize: baseline((sentences) => [sentences.map((_, index) => index)]) },
  {
    name: 'longest',
    summarize: baseline((sentences) => [
      sentences.map((_, index) => index).toSorted((a, b) => sentences[b]!.length - sentences[a]!.length),
    ]),
  },
  {
    name: 'random',
    summarize: baseline((sentences) =>
      Array.from({ length: RANDOM_DRAWS }, (_, seed) => shuffled(sentences.length, seed)),
    ),
  },
];

/** Picks sentences in the given orders while they fit. */
function baseline(
  ordersOf: (sentences: readonly string[], language: SummaryLanguage) => number[][] | Promise<number[][]>,
): Summarizer['summarize'] {
  return async (text, language) => {
    const sentences = await sentencesOf(text, language);
    const budget = LENGTH_SHARE * sentences.reduce((sum, sentence) => sum + sentence.length, 0);
    return (await ordersOf(sentences, language)).map((order) => {
      const taken: number[] = [];
      let length = 0;
      for (const index of order) {
        if (length + sentences[index]!.length > budget) continue;
        length += sentences[index]!.length;
        taken.push(index);
      }
      return taken
        .toSorted((a, b) => a - b)
        .map((index) => sentences[index]!)
        .join(' ');
    });
  };
}

function shuffled(count: number, seed: number): number[] {
  const random = seededRandom(seed + 1);
  return Array.from({ length: count }, (_, index) => ({ index, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ index }) => index);
}
