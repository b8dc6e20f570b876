import {
  FULL_DISTANCE,
  MIN_SIMILAR_PROBABILITY,
  MAX_DISTANCE,
  MAX_MEAN_DISTANCE,
  EXTRA_SYLLABLE_DISTANCE,
  MISSING_SYLLABLE_DISTANCE,
} from '@jyutsing/text/syllables/term-thresholds';
import { fitOf, type Column } from './columns.ts';
import { distanceOf } from './sound-likeness.ts';
import type { KnownTerm, TermNode } from './term-index.ts';
import type { CorrectionWeights } from './weights.ts';
import type { Candidate } from './word-candidates.ts';

/**
 * Least likelihood of a syllable; it only prunes the search, and the remaining candidates are
 * scored exactly at the end.
 */
const MIN_LIKELIHOOD = 2e-3;
const MIN_FIT = Math.log(MIN_LIKELIHOOD);
/** Largest number of extra syllables and skipped characters of a match together. */
const MAX_UNMATCHED = 2;

/** One column of a term's match. */
type Step = { column: Column; code: number };

/**
 * Finds the terms that may begin at a column. Their syllables need only be similar to the
 * recognized ones, by the measure of the check of corrections. A term may cover a syllable without
 * a character, and skip a character without a recognized syllable.
 */
export function collectTerms(
  columns: readonly Column[],
  root: TermNode,
  from: number,
  weights: CorrectionWeights,
): Candidate[] {
  const candidates: Candidate[] = [];
  const steps: Step[] = [];
  const visit = (
    at: number,
    node: TermNode,
    score: number,
    extraSyllables: number,
    skippedCharacters: number,
  ): void => {
    const column = columns[at];
    if (column === undefined || node.children.length === 0) return;
    for (const index of column.likelihood.among(node.next, MIN_LIKELIHOOD)) {
      const code = node.next.codes[index] ?? -1;
      const child = node.children[index];
      const fit = fitOf(column, code);
      if (child === undefined || fit < MIN_FIT) continue;
      const reached = score + fit * weights.acousticScale;
      steps.push({ column, code });
      for (const term of child.terms) {
        const candidate = toCandidate(
          term,
          steps,
          { to: at + 1, score: reached, extraSyllables, skippedCharacters },
          weights,
        );
        if (candidate !== null) candidates.push(candidate);
      }
      visit(at + 1, child, reached, extraSyllables, skippedCharacters);
      steps.pop();
    }
    if (steps.length === 0 || extraSyllables + skippedCharacters >= MAX_UNMATCHED) return;
    if (column.character === null) visit(at + 1, node, score, extraSyllables + 1, skippedCharacters);
    else if (column.sounds.length === 0) visit(at + 1, node, score, extraSyllables, skippedCharacters + 1);
  };
  visit(from, root, 0, 0, 0);
  return candidates;
}

type MatchEnd = { to: number; score: number; extraSyllables: number; skippedCharacters: number };

function toCandidate(
  term: KnownTerm,
  steps: readonly Step[],
  { to, score, extraSyllables, skippedCharacters }: MatchEnd,
  weights: CorrectionWeights,
): Candidate | null {
  let keepBonus = 0;
  let total = extraSyllables * EXTRA_SYLLABLE_DISTANCE;
  let closeSyllables = 0;
  let lengthChanges = skippedCharacters;
  let contradictions = 0;
  for (const [index, { column, code }] of steps.entries()) {
    const isKept = term.characters[index] === column.character;
    if (column.character === null) lengthChanges += 1;
    if (!isKept && contradictsCertainSyllable(column, code)) contradictions += 1;
    if (isKept) keepBonus += column.keep;
    if (column.sounds.length === 0 && !isKept) return null;
    const distance = column.sounds.length === 0 ? MISSING_SYLLABLE_DISTANCE : distanceTo(column, code);
    if (distance > MAX_DISTANCE && !isKept) return null;
    if (distance <= FULL_DISTANCE) closeSyllables += 1;
    total += Math.min(distance, MISSING_SYLLABLE_DISTANCE);
  }
  const length = steps.length;
  const isAsWritten = lengthChanges === 0 && steps.every(({ column }, i) => column.character === term.characters[i]);
  if (!isAsWritten && (total / length > MAX_MEAN_DISTANCE || closeSyllables < length / 2)) return null;
  return {
    to,
    text: term.characters.join(''),
    word: term.words[0] ?? 0,
    term,
    score:
      score +
      keepBonus +
      weights.wordBonus +
      lengthChanges * weights.lengthChange +
      contradictions * weights.contradiction +
      (isAsWritten ? 0 : total * weights.termDistance + (length === 2 ? weights.shortTerm : 0)),
  };
}

/** Probability from which on a recognized syllable is certain. */
const CERTAIN = 0.9;

/**
 * Returns true if the written character was certainly recognized, and the syllable is another one.
 */
function contradictsCertainSyllable({ sounds: [best], readings }: Column, code: number): boolean {
  return best !== undefined && best.probability >= CERTAIN && best.code !== code && readings.includes(best.code);
}

function distanceTo({ sounds }: Column, code: number): number {
  let least = Infinity;
  for (const [rank, alternative] of sounds.entries()) {
    const distance = distanceOf(alternative.code, code);
    const isLikely = rank === 0 || alternative.probability >= MIN_SIMILAR_PROBABILITY;
    if (distance < least && (distance <= FULL_DISTANCE || isLikely)) least = distance;
  }
  return least;
}
