/**
 * Parts: syllables with their minimal pairs, learners with human ratings, sentences of natives,
 * synthetic sentences with right and wrong texts, synthetic ones with readings by context, and made
 * cases: one thing wrong, added or left out.
 */
export const PRONUNCIATION_PARTS = ['syllables', 'learners', 'natives', 'sentences', 'readings', 'cases'] as const;
export type PronunciationPart = (typeof PRONUNCIATION_PARTS)[number];
