import { AppError } from '@jyutsing/contracts/errors';
import type { SyllableParts, Sounds } from './sounds.ts';

/**
 * The recordings of which a syllable is made: one of the whole syllable, or one for every part,
 * where `coda` is null if `rime` gives the whole rime. `tune` has the contour of the tone.
 */
export type UnitLabels = { sound: string | PartLabels; tune: string };
export type PartLabels = { onsets: readonly string[]; rime: string; coda: string | null };

/** Costs of a recording that is less alike; the one with the lowest sum is used. */
const COSTS = { onset: 1, place: 2, nasal: 3, vowel: 10, tone: 1 };

type Recorded = { label: string; parts: SyllableParts; vowels: string; coda: string };

/**
 * Returns a function that finds the recordings to use for a syllable: its own, the nearest with the
 * contour of another syllable of its tone, or those of its onset, vowel and coda. The function
 * throws `engine_failed` for a syllable with a sound that was never recorded.
 */
export function createLabelFinder(labels: readonly string[], sounds: Sounds): (label: string) => UnitLabels {
  const recorded = labels.map((label): Recorded => {
    const parts = sounds.partsOf(label);
    return { label, parts, ...splitRime(parts.rime) };
  });
  const byOnset = Map.groupBy(recorded, ({ parts }) => parts.onset);
  const byRime = Map.groupBy(recorded, ({ parts }) => parts.rime);
  const withVowel = recorded.filter(({ parts }) => !parts.isSyllabic);
  const byVowels = Map.groupBy(withVowel, ({ vowels }) => vowels);
  const byCoda = Map.groupBy(withVowel, ({ coda }) => coda);
  const all = new Set(labels);
  const isRecorded = (label: string) => all.has(label);
  const { near } = sounds;

  const toneCost = (target: SyllableParts, { tone }: SyllableParts) =>
    COSTS.tone * (tone === target.tone ? 0 : 1 + near.tones[target.tone]!.indexOf(tone));
  const contextCost = (target: SyllableParts, parts: SyllableParts) =>
    toneCost(target, parts) + (parts.onset === near.consonants(target.onset).at(-1) ? 0 : onsetCost(target, parts));
  const tuneFor = (parts: SyllableParts, otherwise: string): string =>
    near
      .carriers(parts)
      .map((carrier) => `${carrier}${parts.tone}`)
      .find(isRecorded) ?? otherwise;

  function findOnset(onset: string, target: SyllableParts): string | null {
    return cheapest(
      (byOnset.get(onset) ?? []).filter(({ parts }) => !parts.isSyllabic),
      ({ parts }) => COSTS.vowel * vowelDistance(parts.rime, target.rime) + toneCost(target, parts),
    );
  }

  function findRime(target: SyllableParts): Omit<PartLabels, 'onsets'> | null {
    const whole = cheapest(byRime.get(target.rime) ?? [], ({ parts }) => contextCost(target, parts));
    if (whole !== null) return { rime: whole, coda: null };
    const { vowels, coda } = splitRime(target.rime);
    const rime = cheapest(byVowels.get(vowels) ?? [], (one) => {
      // Vowels before stops are shorter than others; those before ng are like it at their ends.
      const isOpen = one.coda === '';
      const isLike = target.isChecked ? one.parts.isChecked : isOpen;
      return (isLike ? 0 : isOpen ? COSTS.vowel : 2 * COSTS.vowel) + contextCost(target, one.parts);
    });
    const ending = cheapest(byCoda.get(coda) ?? [], (one) => {
      const distance = vowelDistance(one.vowels.slice(-1), vowels.slice(-1)) + (one.vowels.length === 1 ? 0 : 0.5);
      return COSTS.vowel * distance + contextCost(target, one.parts);
    });
    return rime === null || ending === null || coda === '' ? null : { rime, coda: ending };
  }

  /** Finds the syllable itself, in another tone or with a sound that people take for the same. */
  function findWhole(target: SyllableParts): string | null {
    const { onset, rime, tone } = target;
    for (const nearRime of [rime, ...(near.rimes[rime] ?? [])])
      for (const nearOnset of [onset, ...near.onsets(onset, rime)])
        for (const nearTone of [tone, ...near.tones[tone]!])
          if (isRecorded(`${nearOnset}${nearRime}${nearTone}`)) return `${nearOnset}${nearRime}${nearTone}`;
    return null;
  }

  return (label) => {
    if (isRecorded(label)) return { sound: label, tune: label };
    const target = sounds.partsOf(label);
    const whole = findWhole(target);
    if (whole !== null)
      return { sound: whole, tune: sounds.partsOf(whole).tone === target.tone ? whole : tuneFor(target, whole) };
    const onsets = near.consonants(target.onset).map((onset) => findOnset(onset, target));
    const rime = findRime(target);
    if (rime === null || onsets.includes(null))
      throw new AppError('engine_failed', `The voice has no sound for the syllable "${label}".`);
    return {
      sound: { onsets: onsets.filter((onset) => onset !== null), ...rime },
      tune: sounds.partsOf(rime.rime).tone === target.tone ? rime.rime : tuneFor(target, rime.rime),
    };
  };
}

/** Returns the recording with the lowest cost, the first of several; null if there is none. */
function cheapest(candidates: readonly Recorded[], costOf: (one: Recorded) => number): string | null {
  const costs = candidates.map(costOf);
  return candidates[costs.indexOf(Math.min(...costs))]?.label ?? null;
}

/** Splits a rime into its vowels and its final consonant, which may be empty. */
function splitRime(rime: string): { vowels: string; coda: string } {
  const coda = /(?:ng|[mnptk])$/.exec(rime)?.[0] ?? '';
  return { vowels: rime.slice(0, rime.length - coda.length), coda };
}

function onsetCost(target: SyllableParts, parts: SyllableParts): number {
  // The mouth does not move from h into a vowel.
  if (target.onset === '' && parts.onset === 'h') return 0;
  // The voice of a rime after a nasal comes through the nose, too.
  const nasal = /^[mn]/.test(parts.onset) ? COSTS.nasal : 0;
  return nasal + COSTS.onset + (placeOf(parts.onset) === placeOf(target.onset) ? 0 : COSTS.place);
}

function placeOf(onset: string): 'lips' | 'tongue' | 'throat' {
  // The last consonant of a cluster decides.
  if (/^[bpmf](?!l)|w$/.test(onset)) return 'lips';
  return /^(?:[dtlzcsjqxry]|n(?!g))|l$/.test(onset) ? 'tongue' : 'throat';
}

/** Returns 0 for the same first vowel, otherwise 1 to 3 by its rounding and its place. */
function vowelDistance(one: string, other: string): number {
  const [a, b] = [vowelOf(one), vowelOf(other)];
  if (a === b) return 0;
  return 1 + Number(ROUND.has(a) !== ROUND.has(b)) + Number(FRONT.has(a) !== FRONT.has(b));
}

const vowelOf = (rime: string) => /^(?:yu|oe|eo|[a-z])/.exec(rime)?.[0].replace('eo', 'oe') ?? '';
const ROUND = new Set(['o', 'u', 'yu', 'oe', 'v']);
const FRONT = new Set(['e', 'i', 'yu', 'oe', 'v']);
