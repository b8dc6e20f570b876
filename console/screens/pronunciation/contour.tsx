import { text } from '#console/core/text.ts';

const [WIDTH, HEIGHT, MARGIN] = [120, 64, 6];
/** Semitones around the register of a speaker. */
const RANGE = 9;

/**
 * The usual shapes of the tones, in semitones, which are shown while no voice has said the text.
 */
const SHAPES = {
  cantonese: [
    [5, 5],
    [-3, -2, 4],
    [1, 1],
    [-4, -8],
    [-3, -3, 1],
    [-2, -2],
  ],
  // The pitch of a neutral tone depends on the syllable before it.
  mandarin: [
    [5, 5],
    [-1, 0, 5],
    [-3, -7, -2],
    [6, -6],
  ],
} as const;

/** Returns no points for a tone without a shape of its own. */
export function usualShape(language: keyof typeof SHAPES, tone: number): readonly number[] {
  return SHAPES[language][tone - 1] ?? [];
}

/** The pitch of a syllable as it was said, over the one that it should have. */
export function Contour({ spoken, target }: { spoken: readonly number[]; target: readonly number[] }) {
  const { pronunciation } = text();
  return (
    <svg class="contour" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={pronunciation.contour}>
      <line x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} class="contour-register" />
      <polyline points={pointsOf(target)} class="contour-target" />
      <polyline points={pointsOf(spoken)} class="contour-own" />
    </svg>
  );
}

function pointsOf(contour: readonly number[]): string {
  const step = (WIDTH - 2 * MARGIN) / Math.max(1, contour.length - 1);
  return contour
    .map((semitones, index) => {
      const height = Math.max(-RANGE, Math.min(RANGE, semitones)) / RANGE;
      const y = HEIGHT / 2 - height * (HEIGHT / 2 - MARGIN);
      return `${(MARGIN + index * step).toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}
