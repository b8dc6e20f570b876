import type { CorrectionSegment, Term } from '@jyutsing/contracts/corrector';
import type { Segment } from '@jyutsing/contracts/transcript';
import { pairCost, readOriginal, readProposal } from './compare-texts.ts';
import { editPath } from './edit-path.ts';
import { findChanges } from './find-changes.ts';
import { occurrencesOf } from './known-terms.ts';
import { rewrite, wordsOfCharacters } from './written-segment.ts';

/**
 * The segment with the accepted changes (the same object when there are none), and how many
 * changes were accepted and dropped.
 */
type CheckedCorrection = { segment: Segment; accepted: number; dropped: number };

/** A longer proposal is a different text, and comparing it would only cost time. */
const MAX_CHARACTERS = (original: string) => 2 * original.length + 100;
/**
 * A proposal with a larger share of refused changes is a different sentence: the rest agrees by
 * chance.
 */
const MAX_REFUSED_SHARE = 0.5;
const ALWAYS_REFUSABLE = 2;

/**
 * Splits a proposed text into changes and accepts those that the audio supports:
 * - (a) A change that keeps the number of characters, where each new character has a dictionary
 *   reading among the recognized syllables at its place (probability at least 0.01; Hong Kong
 *   mergers count as equal). All of a run of changed characters, or none.
 * - (b) A change within a term of the request that stands in the proposal, if the term as a whole
 *   is close to the syllables there (term-evidence.ts). Only this may change the number of
 *   characters.
 * Everything else stays as recognized: Latin letters, digits, punctuation and spaces always, and
 * all of it when most of the proposal is refused. Proposals are read in Hong Kong Traditional
 * characters. An accepted character gets the reading that supported it.
 */
export function checkCorrection(
  { segment, syllables }: CorrectionSegment,
  proposed: string,
  terms: readonly Term[],
): CheckedCorrection {
  if (proposed === segment.text) return { segment, accepted: 0, dropped: 0 };
  const words = wordsOfCharacters(segment);
  // Words that are not those of the text cannot be located in it.
  if (words === null || proposed.length > MAX_CHARACTERS(segment.text)) return { segment, accepted: 0, dropped: 1 };
  const original = readOriginal(segment.text, words, syllables);
  const proposal = readProposal(proposed);
  const steps = editPath(original.tokens.length, proposal.given.length, (from, to) =>
    pairCost(original, proposal, from, to),
  );
  const occurrences = occurrencesOf(terms, proposal.given, proposal.converted);
  const { replacements, accepted, dropped, refusedCharacters } = findChanges(steps, original, proposal, occurrences);
  if (refusedCharacters > Math.max(ALWAYS_REFUSABLE, original.hanCount * MAX_REFUSED_SHARE)) {
    return { segment, accepted: 0, dropped: accepted + dropped };
  }
  if (replacements.length === 0) return { segment, accepted: 0, dropped };
  return { segment: rewrite(segment, words, replacements), accepted, dropped };
}
