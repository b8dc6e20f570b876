import { BOUNDARY_WORD, type LanguageModel } from './language-model.ts';
import { arcsOfPart, type FoundWord, type WordCandidate } from './word-search.ts';
import type { DecoderWeights } from './weights.ts';

/**
 * Logistic calibration from two kinds of evidence to the rate of correct characters, fitted on
 * held-out sentences; see models/yue/language-model.md.
 */
const CALIBRATION = { offset: 0.8, wordLogOdds: 0.42, syllableLogp: 0.55 };

/** Evidence for one character of the sentence, or one word of letters. */
type CharacterEvidence = {
  /**
   * Posterior of the character's word among all words for the same span, by sound, reading and
   * language model between its neighbors on the best path; words that agree on the character are
   * added up.
   */
  wordShare: number;
  /** Posterior probability of the character's syllable by sound alone; the least of several. */
  syllablePosterior: number;
};

/** Estimates the probability, 0 to 1, that a character is right. */
export function characterConfidence({ wordShare, syllablePosterior }: CharacterEvidence): number {
  const share = Math.min(Math.max(wordShare, 1e-4), 1 - 1e-4);
  const logOdds =
    CALIBRATION.offset +
    CALIBRATION.wordLogOdds * Math.log(share / (1 - share)) +
    CALIBRATION.syllableLogp * Math.log(Math.max(syllablePosterior, 1e-6));
  return 1 / (1 + Math.exp(-logOdds));
}

/** Collects the evidence for every character of the sentence, in order. */
export function collectEvidence(
  words: readonly FoundWord[],
  model: LanguageModel,
  weights: DecoderWeights,
): CharacterEvidence[] {
  return words.flatMap((word, index) => {
    const neighbors: Neighbors = {
      before: words[index - 2]?.word ?? BOUNDARY_WORD,
      previous: words[index - 1]?.word ?? BOUNDARY_WORD,
      following: words[index + 1]?.word ?? BOUNDARY_WORD,
    };
    const shares = wordShares(word, neighbors, model, weights);
    return shares.map((wordShare, place) => ({
      wordShare,
      syllablePosterior: Math.min(...arcsOfPart(word, place, shares.length).map(({ posterior }) => posterior)),
    }));
  });
}

/** The words around a word: the last two before it, and the next. */
type Neighbors = { before: number; previous: number; following: number };

function wordShares(
  foundWord: FoundWord,
  { before, previous, following }: Neighbors,
  model: LanguageModel,
  weights: DecoderWeights,
): number[] {
  const context = model.context(before, previous);
  const parts = model.parts(foundWord.word);
  const agreeing = parts.map(() => 0);
  const candidates = scoredWords(foundWord.rivals, weights, model, (word, logp) => {
    const after = model.logp(model.context(previous, word), following);
    return logp + (model.logp(context, word) + after) * weights.languageModelScale;
  });
  const best = candidates.reduce((top, { score }) => Math.max(top, score), -Infinity);
  let total = 0;
  for (const { word, score } of candidates) {
    const mass = Math.exp(score - best);
    total += mass;
    const rivalParts = word === foundWord.word ? parts : model.parts(word);
    parts.forEach((part, place) => {
      if (rivalParts[place] === part) agreeing[place] = (agreeing[place] ?? 0) + mass;
    });
  }
  return agreeing.map((mass) => (total > 0 ? mass / total : 0));
}

type ScoredWord = { word: number; score: number };

function scoredWords(
  rivals: readonly WordCandidate[],
  weights: DecoderWeights,
  model: LanguageModel,
  score: (word: number, logp: number) => number,
): ScoredWord[] {
  const { trie } = model;
  const scored: ScoredWord[] = [];
  for (const { trieNode, acoustic } of rivals) {
    const first = trie.firstPronunciation(trieNode);
    const end = Math.min(trie.endPronunciation(trieNode), first + weights.homophoneLimit);
    for (let pronunciation = first; pronunciation < end; pronunciation++) {
      const word = trie.word(pronunciation);
      const logp = acoustic * weights.acousticScale + model.readingLogp(pronunciation) * weights.readingScale;
      scored.push({ word, score: score(word, logp) });
    }
  }
  return scored;
}
