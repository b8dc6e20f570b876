const BLOCKS = '▁▂▃▄▅▆▇█';
/** Semitones above and below the register that the lowest and highest block stand for. */
const RANGE = 7;
const COLUMNS = 8;

/**
 * Pitch levels of the tones, 1 (low) to 5 (high), at the beginning and the end, as Y. R. Chao wrote
 * them; Mandarin's third tone falls before it rises. Its neutral tone depends on the one before.
 */
const LEVELS: Readonly<Record<string, Readonly<Record<number, readonly number[]>>>> = {
  cantonese: { 1: [5, 5], 2: [2, 5], 3: [3, 3], 4: [2, 1], 5: [2, 3], 6: [2, 2] },
  mandarin: { 1: [5, 5], 2: [3, 5], 3: [2, 1, 4], 4: [5, 1], 5: [3, 2] },
};
const NEUTRAL_AFTER_THIRD = [2, 4];
const NEUTRAL_AFTER_FOURTH = [2, 1];
const SEMITONES_PER_LEVEL = 3;
const MIDDLE_LEVEL = 3;

/** Draws a pitch contour in semitones around the register: a block for each of eight times. */
export function drawContour(semitones: readonly number[]): string {
  if (semitones.length === 0) return '';
  return Array.from({ length: COLUMNS }, (_, column) => {
    const value = at(semitones, column / (COLUMNS - 1));
    const level = Math.round(((value + RANGE) / (2 * RANGE)) * (BLOCKS.length - 1));
    return BLOCKS[Math.min(BLOCKS.length - 1, Math.max(0, level))];
  }).join('');
}

/**
 * The contour of a tone in semitones around the register; empty for an unknown tone. `before`: the
 * tone of the syllable before it, if there is one.
 */
export function targetContour(language: string, tone: number, before?: number): number[] {
  return levelsOf(language, tone, before).map((level) => (level - MIDDLE_LEVEL) * SEMITONES_PER_LEVEL);
}

function levelsOf(language: string, tone: number, before?: number): readonly number[] {
  if (language === 'mandarin' && tone === 5 && before === 3) return NEUTRAL_AFTER_THIRD;
  if (language === 'mandarin' && tone === 5 && before === 4) return NEUTRAL_AFTER_FOURTH;
  return LEVELS[language]?.[tone] ?? [];
}

/** The value at a fraction of a contour, between its points on a line. */
function at(values: readonly number[], fraction: number): number {
  const place = fraction * (values.length - 1);
  const before = Math.floor(place);
  const low = values[before] ?? 0;
  const high = values[before + 1] ?? low;
  return low + (high - low) * (place - before);
}
