import { join } from 'node:path';
import type { Term } from '@jyutsing/contracts/corrector';
import { loadShippedCorpora } from '@jyutsing/text/corpora/load-shipped-corpora';
import { termsFromContext, termsOf } from '@jyutsing/text/corpora/terms';
import { PRIVATE, type FusionSentence } from './fusion-sentences.ts';

/** The bias that a request provides for the correction. */
export type Condition = {
  name: string;
  /** Bias for the correction of a sentence; null where the condition does not apply to it. */
  biasOf(sentence: FusionSentence): { terms: readonly Term[]; context: string | null } | null;
};

/**
 * Sentences of the same topic whose terms a hint also names, as users do not know the exact terms
 * beforehand.
 */
const OTHER_SENTENCES_IN_HINT = 3;

/** Conditions to measure, in the order of the table. Reads the shipped corpora. */
export function fusionConditions(sentences: readonly FusionSentence[]): Condition[] {
  const corpora = loadShippedCorpora(join(import.meta.dirname, '../../corpora'));
  const all = termsOf(corpora.flatMap(({ entries }) => entries));
  const ofCorpus = new Map(corpora.map(({ id, entries }) => [id, termsOf(entries)]));
  const made = new Set(sentences.filter(({ topic }) => topic === PRIVATE).flatMap(({ terms }) => terms));
  // Without readings, as most users enter them; the dictionary has to provide these.
  const ownCorpus = termsOf([...made].map((text) => ({ text, jyutping: null, weight: 1 })));
  return [
    { name: 'no corpus, no hint', biasOf: () => ({ terms: [], context: null }) },
    { name: 'all public corpora', biasOf: () => ({ terms: all, context: null }) },
    {
      name: 'the corpus of the subject',
      biasOf: ({ topic }) => {
        const terms = ofCorpus.get(topic);
        return terms === undefined ? null : { terms, context: null };
      },
    },
    {
      name: 'a corpus of one’s own',
      biasOf: (sentence) => (sentence.topic === PRIVATE ? { terms: ownCorpus, context: null } : null),
    },
    {
      name: 'all public corpora and a hint',
      biasOf: (sentence) => {
        if (sentence.terms.length === 0) return null;
        const context = hintFor(sentence, sentences);
        return { terms: [...all, ...termsFromContext(context)], context };
      },
    },
  ];
}

/**
 * Terms of the sentence mixed with those of others of its topic, as a user would describe a
 * recording.
 */
function hintFor(sentence: FusionSentence, sentences: readonly FusionSentence[]): string {
  const relatedSentences = sentences.filter(({ topic, text }) => topic === sentence.topic && text !== sentence.text);
  const step = Math.max(1, Math.floor(relatedSentences.length / OTHER_SENTENCES_IN_HINT));
  const named = relatedSentences.filter((_, index) => index % step === 0).slice(0, OTHER_SENTENCES_IN_HINT);
  return [...new Set([...named, sentence].flatMap(({ terms }) => terms))].join('、');
}
