import type { RecognizedSyllable } from '@jyutsing/contracts/transcript';
import { isSyllable } from '@jyutsing/text/jyutping';
import type { SyllableAlternatives } from './decoder/index.ts';

/**
 * What was heard in a stretch of sound that begins at `startMs` of the recording and lasts until `endMs`, in the whole recording's time
 * and whole milliseconds. The acoustic model can hear pairs of onset and rime that are no syllable; those are left out.
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
