import type { RecognizedSyllable } from '@jyutsing/contracts/transcript';
import { isSyllable } from '@jyutsing/text/syllables/jyutping';
import type { SyllableAlternatives } from './decoder/index.ts';

/**
 * Converts decoded syllables of a range from `startMs` to `endMs` to times of the recording in
 * whole milliseconds. Drops pairs of onset and rime that form no syllable.
 */
export function toRecognizedSyllables(
  units: readonly SyllableAlternatives[],
  startMs: number,
  endMs: number,
): RecognizedSyllable[] {
  const clamp = (timeMs: number) => Math.round(Math.min(endMs, startMs + timeMs));
  return units.flatMap((unit) => {
    const alternatives = unit.alternatives.filter(({ reading }) => isSyllable(reading));
    if (alternatives.length === 0) return [];
    return [{ startMs: clamp(unit.startMs), endMs: clamp(unit.endMs), alternatives }];
  });
}
