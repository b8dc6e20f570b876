/**
 * Parts: syllables with their minimal pairs, learners with human ratings, sentences of natives,
 * synthetic sentences with right and wrong texts, synthetic ones with readings by context, made
 * cases (one thing wrong, added or left out), and a picture of tones by people.
 */
export const PRONUNCIATION_PARTS = [
  'syllables',
  'learners',
  'natives',
  'sentences',
  'readings',
  'cases',
  'tones',
] as const;
export type PronunciationPart = (typeof PRONUNCIATION_PARTS)[number];
