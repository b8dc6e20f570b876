import type { Sounds } from './sounds.ts';

/**
 * Finds the recordings to use for a syllable: its own, or the nearest sound with the contour of
 * another syllable of its tone. Null when nothing is near.
 */
export function findUnitLabels(
  label: string,
  { partsOf, near }: Sounds,
  isRecorded: (label: string) => boolean,
): { sound: string; tune: string } | null {
  if (isRecorded(label)) return { sound: label, tune: label };
  const parts = partsOf(label);
  const { onset, rime, tone } = parts;
  for (const nearRime of [rime, ...(near.rimes[rime] ?? [])]) {
    for (const nearOnset of [onset, ...(near.onsets[onset] ?? [])]) {
      for (const nearTone of [tone, ...near.tones[tone]!]) {
        const sound = `${nearOnset}${nearRime}${nearTone}`;
        if (!isRecorded(sound)) continue;
        if (nearTone === tone) return { sound, tune: sound };
        const tune = near
          .carriers(parts)
          .map((carrier) => `${carrier}${tone}`)
          .find(isRecorded);
        return { sound, tune: tune ?? sound };
      }
    }
  }
  return null;
}
