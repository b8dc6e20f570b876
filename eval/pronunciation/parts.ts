/**
 * Parts: syllables with their minimal pairs, learners with human ratings, and synthetic sentences
 * with right and wrong texts.
 */
export const PRONUNCIATION_PARTS = ['syllables', 'learners', 'sentences'] as const;
export type PronunciationPart = (typeof PRONUNCIATION_PARTS)[number];
