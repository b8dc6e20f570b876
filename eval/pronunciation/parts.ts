/**
 * Parts: syllables with their minimal pairs, learners with human ratings, sentences of natives,
 * synthetic sentences with right and wrong texts, and synthetic ones with readings by context.
 */
export const PRONUNCIATION_PARTS = ['syllables', 'learners', 'natives', 'sentences', 'readings'] as const;
export type PronunciationPart = (typeof PRONUNCIATION_PARTS)[number];
