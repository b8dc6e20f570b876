import { createPartFinder, type UnitLabels } from '#packages/engines/syllable/find-labels.ts';
import type { Sounds } from '#packages/engines/syllable/sounds.ts';

type Sound = UnitLabels['sound'];

/** Ranks of onsets and of rimes that are tried together. */
const TRIED = [[0, 0], [0, 1], [1, 0], [0, 2], [1, 1], [2, 0], [0, 3], [0, 4], [0, 5]] as const; // prettier-ignore

/**
 * Returns a function for the other sounds that a syllable can have than its `usual` one: recordings
 * of it in all tones, and parts of recordings with its onset and its rime, the nearest first.
 */
export function createAlternatives(labels: readonly string[], sounds: Sounds) {
  const { findOnsets, findRimes } = createPartFinder(labels, sounds);
  const recorded = new Set(labels);
  const { near } = sounds;
  return (label: string, usual: Sound): Sound[] => {
    const target = sounds.partsOf(label);
    const { onset, rime, tone } = target;
    const whole = [onset, ...(onset === '' ? near.onsets(onset, rime) : [])].flatMap((sameOnset) =>
      [tone, ...near.tones[tone]!].map((other) => `${sameOnset}${rime}${other}`).filter((other) => recorded.has(other)),
    );
    const onsets = near.consonants(onset).map((consonant) => findOnsets(consonant, target));
    const rimes = findRimes(target);
    const most = Math.max(1, onsets[0]?.length ?? 1);
    const made = TRIED.filter(([i, j]) => i < most && j < rimes.length).map(([i, j]) => ({
      // There may be fewer recordings of a second consonant.
      onsets: onsets.map((lenders) => lenders[Math.min(i, lenders.length - 1)]!),
      ...rimes[j]!,
    }));
    const sounding = new Map([usual, ...whole, ...made].map((sound) => [JSON.stringify(sound), sound]));
    sounding.delete(JSON.stringify(usual));
    return [...sounding.values()];
  };
}
