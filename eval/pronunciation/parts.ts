/** What is measured: single syllables and their minimal pairs, learners against raters, our own sentences against right and wrong texts. */
export const PRONUNCIATION_PARTS = ['syllables', 'learners', 'sentences'] as const;
export type PronunciationPart = (typeof PRONUNCIATION_PARTS)[number];
