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
const DEFAULT_MAX_CHARACTERS = 1_500;
const MIN_SENTENCES = 2;
const MAX_TITLE_CHARACTERS = 300;

export const LEXICONS: Readonly<Record<SummaryLanguage, Lexicon>> = {
  cantonese: CHINESE,
  mandarin: CHINESE,
  english: ENGLISH,
  japanese: JAPANESE,
  korean: KOREAN,
};

export type SummarizeOptions = {
  /**
   * One of `summarizableLanguages` of the transcript. `cantonese` gives the Traditional characters
   * of Hong Kong, `mandarin` Simplified ones; the wording is not changed.
   */
  language: SummaryLanguage;
  /** Title; sentences with its words are preferred. */
  title?: string | null;
  /** Share of the length of the transcript; default 0.15. */
  share?: number;
  /** Maximum length; default 1,500 characters. */
  maxCharacters?: number;
  /** Aborts at the next pause. */
  signal?: AbortSignal;
};

/**
 * Extractive summary: central sentences (LexRank) of the transcript in their order, as plain text
 * on one line, without greetings, stories and duplicates. At least two sentences if there are.
 * Transcripts without punctuation are cut into sentences first. Empty when the text contains no
 * sentence. Deterministic. Pauses for other work about every 20 ms; an aborted signal throws its
 * reason.
 */
export async function summarizeText(text: string, options: SummarizeOptions): Promise<string> {
  const lexicon = LEXICONS[options.language];
  const pace = startPace(options.signal);
  const pieces = await piecesOf(text, options.language, pace);
  const sentences = pieces.map((piece) => piece.text);
  const units = await mapAtPace(sentences, pace, (sentence) => lexicon.units(sentence.toLowerCase()));
  const vectors = await vectorsOf(units, pace);
  await pace();
  const titleUnits = lexicon.units((options.title ?? '').slice(0, MAX_TITLE_CHARACTERS).toLowerCase());
  const scores = (await featuresOf({ sentences, units, vectors, titleUnits }, lexicon, pace)).map(scoreOf);
  await pace();
  const maxCharacters = options.maxCharacters ?? DEFAULT_MAX_CHARACTERS;
  const total = sentences.reduce((sum, sentence) => sum + sentence.length, 0);
  const budget = Math.min(maxCharacters, Math.round(total * (options.share ?? DEFAULT_SHARE)));
  const taken = selectSentences(pieces, scores, vectors, {
    budget,
    maxCharacters,
    minSentences: MIN_SENTENCES,
    separatorLength: lexicon.separator.length,
  });
  return repairScript(taken.map((index) => sentences[index]!).join(lexicon.separator), options.language);
}

/** Candidate sentences in order, without duplicates. */
export async function piecesOf(
  text: string,
  language: SummaryLanguage,
  pace: Pace = startPace(),
  lexicon: Lexicon = LEXICONS[language],
): Promise<Piece[]> {
  return distinct(await splitSentences(await cleanTranscript(text, pace), lexicon, pace));
}

export async function sentencesOf(text: string, language: SummaryLanguage): Promise<string[]> {
  return (await piecesOf(text, language)).map((piece) => piece.text);
}

function scoreOf(features: SentenceFeatures): number {
  return FEATURES.reduce((sum, feature) => sum + WEIGHTS[feature] * features[feature], 0);
}

/** Removes repeated sentences, ignoring punctuation. */
function distinct(sentences: readonly Piece[]): Piece[] {
  const seen = new Set<string>();
  return sentences.filter(({ text }) => {
    const key = text.toLowerCase().replace(/[^\p{L}\d]/gu, '');
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
