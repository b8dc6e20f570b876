import type { ShownScore } from '#features/pronunciation/present-score.ts';

/** An answer of the documentation: 賣 was asked for and 買 was said, which is another tone. */
export const EXAMPLE: ShownScore = {
  success: true,
  score: 31,
  passed: false,
  language: 'cantonese',
  expectedJyutping: 'maai6',
  transcribedJyutping: 'maai5',
  syllables: [
    {
      text: '賣',
      expected: 'maai6',
      heard: 'maai5',
      score: 31,
      verdict: 'wrong',
      start: 0.12,
      end: 0.48,
      onset: { expected: 'm', heard: 'm', score: 97.2, verdict: 'right' },
      rime: { expected: 'aai', heard: 'aai', score: 98.1, verdict: 'right' },
      tone: { expected: 6, heard: 5, score: 12.4, verdict: 'wrong', contour: [-2.8, -3.1, -2.4, -1.2, 0.1] },
    },
  ],
};
