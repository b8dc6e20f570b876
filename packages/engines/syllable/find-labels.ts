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

/** Number of recordings of which an onset or a rime is tried. */
const LENDERS = 4;
/** Ranks of vowels and of codas that are tried together where no recording has the rime. */
const TRIED = [[0, 0], [0, 1], [1, 0], [0, 2], [1, 1], [2, 0]] as const; // prettier-ignore

export type PartFinder = {
  /** Finds the recordings that lend an onset, the nearest first. */
  findOnsets(onset: string, target: SyllableParts): string[];
  /** Finds the recordings that lend a rime, or its vowel and its coda, the nearest first. */
  findRimes(target: SyllableParts): Omit<PartLabels, 'onsets'>[];
};

/** Returns functions that find recordings of the parts of a syllable. */
export function createPartFinder(labels: readonly string[], sounds: Sounds): PartFinder {
  const recorded = labels.map((label): Recorded => {
    const parts = sounds.partsOf(label);
    return { label, parts, ...splitRime(parts.rime) };
  });
  const withVowel = recorded.filter(({ parts }) => !parts.isSyllabic);
  const byOnset = Map.groupBy(withVowel, ({ parts }) => parts.onset);
  const byRime = Map.groupBy(recorded, ({ parts }) => parts.rime);
  const byVowels = Map.groupBy(withVowel, ({ vowels }) => vowels);
  const byCoda = Map.groupBy(withVowel, ({ coda }) => coda);
  const { near } = sounds;

  const toneCost = (target: SyllableParts, { tone }: SyllableParts) =>
    COSTS.tone * (tone === target.tone ? 0 : 1 + near.tones[target.tone]!.indexOf(tone));
  const contextCost = (target: SyllableParts, parts: SyllableParts) =>
    toneCost(target, parts) + (parts.onset === near.consonants(target.onset).at(-1) ? 0 : onsetCost(target, parts));

  return {
    findOnsets: (onset, target) =>
      nearest(
        byOnset.get(onset) ?? [],
        ({ parts }) => COSTS.vowel * vowelDistance(parts.rime, target.rime) + toneCost(target, parts),
      ),
    findRimes(target) {
      const whole = nearest(byRime.get(target.rime) ?? [], ({ parts }) => contextCost(target, parts));
      if (whole.length > 0) return whole.map((rime) => ({ rime, coda: null }));
      const { vowels, coda } = splitRime(target.rime);
      if (coda === '') return [];
      const rimes = nearest(byVowels.get(vowels) ?? [], (one) => {
        // Vowels before stops are shorter than others; those before ng are like it at their ends.
        const isOpen = one.coda === '';
        const isLike = target.isChecked ? one.parts.isChecked : isOpen;
        return (isLike ? 0 : isOpen ? COSTS.vowel : 2 * COSTS.vowel) + contextCost(target, one.parts);
      });
      const endings = nearest(byCoda.get(coda) ?? [], (one) => {
        const distance = vowelDistance(one.vowels.slice(-1), vowels.slice(-1)) + (one.vowels.length === 1 ? 0 : 0.5);
        return COSTS.vowel * distance + contextCost(target, one.parts);
      });
      return TRIED.flatMap(([i, j]) => {
        const [rime, ending] = [rimes[i], endings[j]];
        return rime === undefined || ending === undefined ? [] : [{ rime, coda: ending }];
      });
    },
  };
}

/**
 * Returns a function that finds the recordings to use for a syllable: its own, the nearest with the
 * contour of another syllable of its tone, or those of its onset, vowel and coda. The function
 * throws `engine_failed` for a syllable with a sound that was never recorded.
 */
export function createLabelFinder(labels: readonly string[], sounds: Sounds): (label: string) => UnitLabels {
  const { findOnsets, findRimes } = createPartFinder(labels, sounds);
  const all = new Set(labels);
  const isRecorded = (label: string) => all.has(label);
  const { near } = sounds;

  const tuneFor = (parts: SyllableParts, otherwise: string): string =>
    near
      .carriers(parts)
      .map((carrier) => `${carrier}${parts.tone}`)
      .find(isRecorded) ?? otherwise;

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
    const onsets = near.consonants(target.onset).flatMap((onset) => findOnsets(onset, target)[0] ?? []);
    const [rime] = findRimes(target);
    if (rime === undefined || onsets.length < near.consonants(target.onset).length)
      throw new AppError('engine_failed', `The voice has no sound for the syllable "${label}".`);
    return {
      sound: { onsets, ...rime },
      tune: sounds.partsOf(rime.rime).tone === target.tone ? rime.rime : tuneFor(target, rime.rime),
    };
  };
}

/** Returns the recordings with the lowest costs, the lowest first. */
function nearest(candidates: readonly Recorded[], costOf: (one: Recorded) => number): string[] {
  return candidates
    .map((one) => ({ label: one.label, cost: costOf(one) }))
    .toSorted((a, b) => a.cost - b.cost)
    .slice(0, LENDERS)
    .map(({ label }) => label);
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
