import { join } from 'node:path';
import type { Term } from '@jyutsing/contracts/corrector';
import { loadShippedCorpora } from '@jyutsing/text/corpora/load-shipped-corpora';
import { termsFromContext, termsOf } from '@jyutsing/text/corpora/terms';
import { PRIVATE, type FusionSentence } from './fusion-sentences.ts';

/** What a request may say of its subject. `null`: no sentence of this kind is measured so. */
export type Condition = {
  name: string;
  /** What biases the correction of a sentence; null where the condition means nothing for it. */
  biasOf(sentence: FusionSentence): { terms: readonly Term[]; context: string | null } | null;
};

/** Sentences of the same subject whose terms a hint names as well: people do not know beforehand what will be said. */
const OTHERS_IN_A_HINT = 3;

/** The conditions under which sentences are measured, in the order of the table. Reads the shipped corpora. */
export function fusionConditions(sentences: readonly FusionSentence[]): Condition[] {
  const corpora = loadShippedCorpora(join(import.meta.dirname, '../corpora'));
  const all = termsOf(corpora.flatMap(({ entries }) => entries));
  const ofCorpus = new Map(corpora.map(({ id, entries }) => [id, termsOf(entries)]));
  const made = new Set(sentences.filter(({ topic }) => topic === PRIVATE).flatMap(({ terms }) => terms));
  // As most people would: without readings, which the dictionary has to find.
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

/** The terms of the sentence among those of others of its subject, as somebody would note down what a recording is about. */
function hintFor(sentence: FusionSentence, sentences: readonly FusionSentence[]): string {
  const others = sentences.filter(({ topic, text }) => topic === sentence.topic && text !== sentence.text);
  const step = Math.max(1, Math.floor(others.length / OTHERS_IN_A_HINT));
  const named = others.filter((_, index) => index % step === 0).slice(0, OTHERS_IN_A_HINT);
  return [...new Set([...named, sentence].flatMap(({ terms }) => terms))].join('、');
}
