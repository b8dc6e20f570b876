import type { ShownScore } from '#features/pronunciation/present-score.ts';

/** A real answer, for the documentation: 香港 pronounced hoeng1 gong4, with a wrong tone. */
export const EXAMPLE: ShownScore = {
  success: true,
  score: 58.4,
  passed: false,
  language: 'cantonese',
  expectedJyutping: 'hoeng1 gong2',
  transcribedJyutping: 'hoeng1 gong4',
  syllables: [
    {
      text: '香',
      expected: 'hoeng1',
      heard: 'hoeng1',
      score: 98.1,
      verdict: 'right',
      start: 0,
      end: 0.27,
      onset: { expected: 'h', heard: 'h', score: 100, verdict: 'right' },
      rime: { expected: 'oeng', heard: 'oeng', score: 100, verdict: 'right' },
      tone: {
        expected: 1,
        heard: 1,
        score: 98.1,
        verdict: 'right',
        contour: [6.17, 5.93, 5.9, 5.93, 5.84, 5.73, 5.81],
      },
    },
    {
      text: '港',
      expected: 'gong2',
      heard: 'gong4',
      score: 18.7,
      verdict: 'wrong',
      start: 0.27,
      end: 0.57,
      onset: { expected: 'g', heard: 'g', score: 99.7, verdict: 'right' },
      rime: { expected: 'ong', heard: 'ong', score: 100, verdict: 'right' },
      tone: {
        expected: 2,
        heard: 4,
        score: 18.7,
        verdict: 'wrong',
        contour: [-3.3, -4.16, -4.6, -4.84, -5.09, -5.34, -5.51],
      },
    },
  ],
};
