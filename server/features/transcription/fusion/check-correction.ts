import type { CorrectionSegment, Term } from '@jyutsing/contracts/corrector';
import type { Segment } from '@jyutsing/contracts/transcript';
import { pairCost, readOriginal, readProposal } from './compare-texts.ts';
import { editPath } from './edit-path.ts';
import { findChanges } from './find-changes.ts';
import { occurrencesOf } from './known-terms.ts';
import { rewrite, wordsOfCharacters } from './written-segment.ts';

/** The segment with what was accepted, the same object when nothing was; and how many changes were, and were not. */
export type CheckedCorrection = { segment: Segment; accepted: number; dropped: number };

/** A proposal longer than this is another text, and comparing it would only cost time. */
const MOST_CHARACTERS = (original: string) => 2 * original.length + 100;
/** A proposal of which more than this share is refused is another sentence: what agrees in it, agrees by chance. */
const MOST_REFUSED_SHARE = 0.5;
const ALWAYS_REFUSABLE = 2;

/**
 * Takes a proposed text for a segment apart into changes and accepts those that were heard:
 * (a) a change that keeps the number of characters, each of which has a reading (any of the dictionary's) among the syllables heard at
 *     its place (probability at least 0.01, mergers of Hong Kong counting as the same); all of a run of changed characters, or none;
 * (b) a change within a term of the request that stands in the proposal, if the term as a whole is near to what was heard there
 *     (term-evidence.ts); only this may change the number of characters.
 * Everything else stays as it was recognised: Latin letters, digits, punctuation and spaces always, and all of it when most of the
 * proposal is refused. Proposals are read in Hong Kong's Traditional characters. An accepted character has the reading by which it was
 * accepted.
 */
export function checkCorrection(
  { segment, syllables: heard }: CorrectionSegment,
  proposed: string,
  terms: readonly Term[],
): CheckedCorrection {
  if (proposed === segment.text) return { segment, accepted: 0, dropped: 0 };
  const words = wordsOfCharacters(segment);
  // Where words are not those of the text, nobody knows what was heard where.
  if (words === null || proposed.length > MOST_CHARACTERS(segment.text)) return { segment, accepted: 0, dropped: 1 };
  const original = readOriginal(segment.text, words, heard);
  const proposal = readProposal(proposed);
  const steps = editPath(original.tokens.length, proposal.given.length, (from, to) =>
    pairCost(original, proposal, from, to),
  );
  const occurrences = occurrencesOf(terms, proposal.given, proposal.converted);
  const { replacements, accepted, dropped, refusedCharacters } = findChanges(steps, original, proposal, occurrences);
  if (refusedCharacters > Math.max(ALWAYS_REFUSABLE, original.hanCount * MOST_REFUSED_SHARE)) {
    return { segment, accepted: 0, dropped: accepted + dropped };
  }
  if (replacements.length === 0) return { segment, accepted: 0, dropped };
  return { segment: rewrite(segment, words, replacements), accepted, dropped };
}
