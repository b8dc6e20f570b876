import { partsOf } from './syllable-parts.ts';

/** Onsets to use for one that was not recorded with a rime, best first. */
const NEAR_ONSETS: Readonly<Record<string, readonly string[]>> = {
  n: ['l'],
  l: ['n'],
  ng: [''],
  '': ['ng', 'h'],
  gw: ['g', 'w'],
  kw: ['k', 'gw'],
  w: ['gw', ''],
  j: ['z', ''],
  z: ['c', 'd'],
  c: ['z', 's'],
  s: ['c', 'z'],
  f: ['h', 'p'],
  p: ['b'],
  t: ['d'],
  k: ['g'],
  b: ['p'],
  d: ['t'],
  g: ['k'],
  h: ['f', ''],
  m: ['n'],
};
/** Rimes that sound alike. */
const NEAR_RIMES: Readonly<Record<string, readonly string[]>> = {
  a: ['aa'],
  em: ['im', 'en'],
  en: ['in', 'eng'],
  ep: ['ip', 'et'],
  et: ['ek', 'it'],
  eu: ['iu'],
  oet: ['oek', 'eot'],
  om: ['on', 'am'],
  op: ['ok', 'ap'],
  um: ['ung', 'am'],
  up: ['uk', 'ap'],
  oen: ['oeng', 'eon'],
  aet: ['et'],
};
/** Tones whose recordings have a like voice and length, best first. */
const NEAR_TONES: Readonly<Record<number, readonly number[]>> = {
  1: [3, 2, 6, 5, 4],
  2: [5, 3, 1, 6, 4],
  3: [6, 1, 2, 5, 4],
  4: [6, 5, 3, 2, 1],
  5: [2, 6, 4, 3, 1],
  6: [3, 4, 5, 2, 1],
};

/**
 * The recordings to use for a syllable: its own, or the nearest sound with the melody of another
 * syllable of its tone. Null when nothing is near.
 */
export function findUnitLabels(
  label: string,
  isRecorded: (label: string) => boolean,
): { sound: string; tune: string } | null {
  if (isRecorded(label)) return { sound: label, tune: label };
  const { onset, rime, tone, isChecked } = partsOf(label);
  for (const nearRime of [rime, ...(NEAR_RIMES[rime] ?? [])]) {
    for (const nearOnset of [onset, ...(NEAR_ONSETS[onset] ?? [])]) {
      for (const nearTone of [tone, ...NEAR_TONES[tone]!]) {
        const sound = `${nearOnset}${nearRime}${nearTone}`;
        if (!isRecorded(sound)) continue;
        if (nearTone === tone) return { sound, tune: sound };
        const carriers = isChecked ? ['aak', 'ik', 'uk', 'aa', 'i'] : ['aa', 'i', 'au', 'o'];
        const tune = carriers.map((carrier) => `${carrier}${tone}`).find(isRecorded);
        return { sound, tune: tune ?? sound };
      }
    }
  }
  return null;
}
