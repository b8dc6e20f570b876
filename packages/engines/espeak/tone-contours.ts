import type { SourceVoice } from './espeak-driver.ts';

/**
 * A pitch target: share of the syllable that has passed, semitones above the middle of the
 * speaker's register.
 */
type ContourPoint = readonly [share: number, semitones: number];
export type Contour = readonly ContourPoint[];

/**
 * Cantonese tones 1–6 in running speech. Shapes and distances are those of citation syllables of a
 * Hong Kong man (medians of 40 syllables a tone, 「粵音資料集叢」, semitones from tone 3: 1 +4.5; 2 −5.5 →
 * +4.4; 3 0; 4 −5.3; 5 −4.7 → 0; 6 −2.8), compressed slightly as in connected speech, with the fall
 * of tone 4 of R. S. Bauer and P. K. Benedict, "Modern Cantonese Phonology", 1997 (55, 25, 33, 21,
 * 23, 22). Rises end early, because pitch lags behind its targets. Tuned with the built-in
 * recognizer within these bounds.
 */
const CANTONESE: Readonly<Record<number, Contour>> = {
  1: [
    [0, 4.6],
    [1, 4.4],
  ],
  2: [
    [0, -3.4],
    [0.32, -4],
    [0.82, 4.6],
    [1, 4.6],
  ],
  3: [
    [0, 0.5],
    [1, 0.3],
  ],
  4: [
    [0, -3.4],
    [0.5, -5],
    [1, -6],
  ],
  5: [
    [0, -3],
    [0.4, -3.4],
    [0.85, 0.9],
    [1, 0.9],
  ],
  6: [
    [0, -1.8],
    [1, -2.1],
  ],
};

/**
 * Mandarin tones 1–4: targets high, rising, low and falling (Y. Xu, "Contextual tonal variations in
 * Mandarin", Journal of Phonetics 25, 1997), as far apart as his speakers' and those of the women
 * of Shtooka's recordings. Tone 3 rises only before a pause.
 */
const MANDARIN: Readonly<Record<number, Contour>> = {
  1: [
    [0, 3.8],
    [1, 3.7],
  ],
  2: [
    [0, -2.4],
    [0.35, -2.4],
    [0.95, 3.4],
    [1, 3.4],
  ],
  3: [
    [0, -3],
    [0.4, -5],
    [1, -5.2],
  ],
  4: [
    [0, 5],
    [0.25, 5],
    [1, -4.4],
  ],
};
/**
 * The shape of one woman's third tones at the end of 584 words up to four fifths of their length:
 * medians -2, lowest -4.5 at 0.6, -3.4 at 0.8. At the end of sentences they rise no further; higher
 * ends are heard as a second tone.
 */
const MANDARIN_FULL_THIRD: Contour = [
  [0, -2.2],
  [0.5, -5.2],
  [0.8, -5.2],
  [1, -3.8],
];
/**
 * Contours of the neutral tone, which continues the previous one: Y. Chen and Y. Xu, "Production of
 * weak elements in speech", Phonetica 63, 2006.
 */
const MANDARIN_NEUTRAL: Readonly<Record<number, Contour>> = {
  0: [
    [0, -0.5],
    [1, -1.5],
  ],
  1: [
    [0, 0.5],
    [1, -2],
  ],
  2: [
    [0, 1.5],
    [1, -1],
  ],
  // One woman's contour goes from -1.9 to 0.7 while it has voice (training/pronunciation/tones, 41
  // words). With that contour, this engine's tone is heard as a first tone in words by themselves,
  // like 早上.
  3: [
    [0, -3.2],
    [0.5, -3],
    [1, -0.9],
  ],
  4: [
    [0, -3],
    [1, -4.4],
  ],
  5: [
    [0, -1.5],
    [1, -2.5],
  ],
};

/** Returns the target of a Chinese syllable. `previousTone` is 0 at the beginning of a phrase. */
export function toneContour(
  voice: SourceVoice,
  tone: number,
  { previousTone, isLast }: { previousTone: number; isLast: boolean },
): Contour {
  if (voice === 'yue') return CANTONESE[tone] ?? CANTONESE[3]!;
  if (tone === 5) return MANDARIN_NEUTRAL[previousTone] ?? MANDARIN_NEUTRAL[0]!;
  if (tone === 3 && isLast) return MANDARIN_FULL_THIRD;
  return MANDARIN[tone] ?? MANDARIN[1]!;
}

/** Returns the value of a contour at a share of its syllable. */
export function contourAt(contour: Contour, share: number): number {
  for (let at = 1; at < contour.length; at += 1) {
    const [toShare, to] = contour[at]!;
    const [fromShare, from] = contour[at - 1]!;
    if (share <= toShare)
      return from + ((to - from) * Math.max(0, share - fromShare)) / Math.max(1e-6, toShare - fromShare);
  }
  return contour.at(-1)?.[1] ?? 0;
}
