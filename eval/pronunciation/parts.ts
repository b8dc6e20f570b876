/**
 * Parts: syllables with their minimal pairs, learners with human ratings, sentences of natives and
 * synthetic sentences with right and wrong texts.
 */
export const PRONUNCIATION_PARTS = ['syllables', 'learners', 'natives', 'sentences'] as const;
export type PronunciationPart = (typeof PRONUNCIATION_PARTS)[number];
