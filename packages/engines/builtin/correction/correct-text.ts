import type { CorrectionSegment, Term } from '@jyutsing/contracts/corrector';
import { loadLanguageModel } from '#engines/builtin/decoder/language-model.ts';
import { splitIntoRuns } from './columns.ts';
import { searchRun } from './search.ts';
import { createLikelihoods } from './sound-likeness.ts';
import { createTermIndex } from './term-index.ts';
import { createVocabulary } from './vocabulary.ts';
import { CORRECTION_WEIGHTS } from './weights.ts';

/** Corrects one segment; an aborted signal throws its reason. */
type CorrectSegment = (segment: CorrectionSegment, signal: AbortSignal) => Promise<string>;

/**
 * Loads the language model for correction and returns a corrector for the terms of a request.
 * Throws `engine_unavailable` when the model is missing or damaged. `weights` replaces the default
 * weights while they are tuned.
 */
export function createTextCorrector(
  path: string,
  weights = CORRECTION_WEIGHTS,
): (terms: readonly Term[]) => CorrectSegment {
  const vocabulary = createVocabulary(loadLanguageModel(path));
  const treeOf = createTermIndex(vocabulary);
  const likelihoods = createLikelihoods(weights);
  return (terms) => {
    const tree = treeOf(terms);
    return async (segment, signal) => {
      let text = '';
      for (const run of splitIntoRuns(segment, likelihoods, weights)) {
        text += 'kept' in run ? run.kept : await searchRun(run.columns, tree, vocabulary, weights, signal);
      }
      return text;
    };
  };
}
