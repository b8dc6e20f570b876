import type { SummaryLanguage } from '@jyutsing/contracts/summarizer';
import { repairScript } from './check-language.ts';
import { CHINESE } from './chinese.ts';
import { cleanTranscript } from './clean-transcript.ts';
import type { Piece } from './cut-unpunctuated.ts';
import { ENGLISH } from './english.ts';
import { JAPANESE } from './japanese.ts';
import { KOREAN } from './korean.ts';
import type { Lexicon } from './lexicon.ts';
import { mapAtPace, startPace, type Pace } from './pace.ts';
import { vectorsOf } from './rank-sentences.ts';
import { FEATURES, featuresOf, type SentenceFeatures } from './score-sentences.ts';
import { selectSentences } from './select-sentences.ts';
import { splitSentences } from './split-sentences.ts';
import { WEIGHTS } from './weights.ts';

const DEFAULT_SHARE = 0.15;
const DEFAULT_MOST_CHARACTERS = 1_500;
const LEAST_SENTENCES = 2;
const LONGEST_TITLE = 300;

export const LEXICONS: Readonly<Record<SummaryLanguage, Lexicon>> = {
  cantonese: CHINESE,
  mandarin: CHINESE,
  english: ENGLISH,
  japanese: JAPANESE,
  korean: KOREAN,
};

export type SummarizeOptions = {
  /**
   * The language of the summary: one of `summarizableLanguages` of the transcript's. `cantonese` writes Chinese in Hong
   * Kong's Traditional forms, `mandarin` in Simplified; the words stay as they were said.
   */
  language: SummaryLanguage;
  /** Of the video or talk, where it has one: sentences with its words count for more. */
  title?: string | null;
  /** Length of the summary as a share of the transcript's; 0.15 unless given. */
  share?: number;
  /** The summary is never longer; 1,500 characters unless given. */
  maxCharacters?: number;
  /** Ends the work at the next pause. */
  signal?: AbortSignal;
};

/**
 * A summary made of sentences of the transcript itself, in their order, as plain text on one line: those that are central
 * to it (LexRank) and say something, without greetings and stories, none of them twice. At least two when there are so
 * many. A transcript without punctuation, as automatic captions are, is cut into sentences first. Empty when nothing in
 * the text is a sentence. The same text always gives the same summary. Pauses for
 * other work every 20 ms or so; an aborted signal throws its reason.
 */
export async function summarizeText(text: string, options: SummarizeOptions): Promise<string> {
  const lexicon = LEXICONS[options.language];
  const pace = startPace(options.signal);
  const pieces = await piecesOf(text, options.language, pace);
  const sentences = pieces.map((piece) => piece.text);
  const units = await mapAtPace(sentences, pace, (sentence) => lexicon.units(sentence.toLowerCase()));
  const vectors = await vectorsOf(units, pace);
  await pace();
  const titleUnits = lexicon.units((options.title ?? '').slice(0, LONGEST_TITLE).toLowerCase());
  const scores = (await featuresOf({ sentences, units, vectors, titleUnits }, lexicon, pace)).map(scoreOf);
  await pace();
  const most = options.maxCharacters ?? DEFAULT_MOST_CHARACTERS;
  const total = sentences.reduce((sum, sentence) => sum + sentence.length, 0);
  const budget = Math.min(most, Math.round(total * (options.share ?? DEFAULT_SHARE)));
  const taken = selectSentences(pieces, scores, vectors, {
    budget,
    most,
    least: LEAST_SENTENCES,
    separatorLength: lexicon.separator.length,
  });
  return repairScript(taken.map((index) => sentences[index]!).join(lexicon.separator), options.language);
}

/** The sentences that a summary can be made of, in order, each once. */
export async function piecesOf(
  text: string,
  language: SummaryLanguage,
  pace: Pace = startPace(),
  lexicon: Lexicon = LEXICONS[language],
): Promise<Piece[]> {
  return distinct(await splitSentences(await cleanTranscript(text, pace), lexicon, pace));
}

/** The same as text alone. */
export async function sentencesOf(text: string, language: SummaryLanguage): Promise<string[]> {
  return (await piecesOf(text, language)).map((piece) => piece.text);
}

function scoreOf(features: SentenceFeatures): number {
  return FEATURES.reduce((sum, feature) => sum + WEIGHTS[feature] * features[feature], 0);
}

/** The first of each sentence that is said more than once, whatever its marks. */
function distinct(sentences: readonly Piece[]): Piece[] {
  const seen = new Set<string>();
  return sentences.filter(({ text }) => {
    const key = text.toLowerCase().replace(/[^\p{L}\d]/gu, '');
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
