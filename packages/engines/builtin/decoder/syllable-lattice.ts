import type { LanguageModel } from './language-model.ts';
import { createNearestSyllable } from './nearest-syllable.ts';
import type { SyllableCandidate } from './syllable-candidates.ts';
import type { SyllableLanguage } from './syllable-language.ts';
import { type Slot, slotLogp } from './syllable-slots.ts';
import { followingTones } from './following-tones.ts';
import type { AcousticLabels } from './types.ts';

/** One hypothesis for a range of frames: a syllable, or silence. */
export type SyllableArc = {
  from: number;
  to: number;
  /** Number of the syllable in the language model; −1 for silence. */
  syllable: number;
  /** Natural logarithm of the probability of this arc within the stretch. */
  logp: number;
  /** Probability among all hypotheses for the same range, 0 to 1. */
  posterior: number;
  /** First frame of the syllable and the frame after its last. */
  startFrame: number;
  endFrame: number;
};

/** All hypotheses as arcs between nodes. Nodes are in time order, arcs go forward. */
export type SyllableLattice = {
  /** Arcs by their start node; the last node has an empty list. */
  arcsFrom: SyllableArc[][];
};

/** Largest number of syllables kept for one stretch. */
const ARCS_PER_SLOT = 28;
/** Distance in nats from the best usable syllable of a stretch beyond which others are dropped. */
const ARC_MARGIN = 11;
/**
 * Highest cost of replacing a syllable that no word uses by the nearest one that a word uses; at
 * its true cost the search would prefer silence.
 */
const STAND_IN_COST = 4;
/** Least log-probability at which silence is considered. */
const SILENCE_FLOOR = -4;

/** A `MeantUnit` with the number of its syllable in the model. */
type MeantSyllable = { number: number; logp: number; beforeTones?: readonly number[] };

/** Tables that map candidates of the acoustic model to syllables of the language model. */
export type SyllableNumbers = {
  /** Returns the number of a candidate; −1 when no word uses it. */
  numberOf(candidate: SyllableCandidate): number;
  /** Returns true if some word uses the syllable in any tone. */
  isUsed(candidate: SyllableCandidate): boolean;
  /**
   * Returns the number of the syllable that some word uses and that sounds most like a candidate.
   */
  nearestTo(candidate: SyllableCandidate): number;
  /** Returns true if some word consists of this syllable alone. */
  standsAlone(number: number): boolean;
  /** Returns the nearest syllable that is a word by itself. */
  nearestAlone(number: number): number;
  /** For every number, the other syllables that a speaker with merged sounds may mean. */
  meantBy: readonly (readonly MeantSyllable[])[];
  language: SyllableLanguage;
};

/** Prepares the tables for one pair of models. */
export function syllableNumbers(
  labels: AcousticLabels,
  model: LanguageModel,
  language: SyllableLanguage,
): SyllableNumbers {
  const { onsets, rimes, tones } = labels;
  const table = new Int32Array((onsets.length + 1) * rimes.length * tones).fill(-1);
  const place = ({ onset, rime, tone }: CandidateParts): number => ((onset + 1) * rimes.length + rime) * tones + tone;
  const unitOf = ({ onset, rime, tone }: CandidateParts): string =>
    language.unit(onsets[onset] ?? '', rimes[rime] ?? '', tone + 1);
  for (let onset = -1; onset < onsets.length; onset++) {
    for (let rime = 0; rime < rimes.length; rime++) {
      for (let tone = 0; tone < tones; tone++) {
        const number = model.syllableNumber(unitOf({ onset, rime, tone }));
        if (number !== undefined) table[place({ onset, rime, tone })] = number;
      }
    }
  }
  const nearest = createNearestSyllable(model.syllables, language);
  const standsAlone = (number: number): boolean => {
    const node = model.trie.child(0, number);
    return node >= 0 && model.trie.endPronunciation(node) > model.trie.firstPronunciation(node);
  };
  const nearestAlone = createNearestSyllable(model.syllables, language, standsAlone);
  return {
    standsAlone,
    nearestAlone: (number) => nearestAlone(model.syllables[number] ?? ''),
    numberOf: (candidate) => table[place(candidate)] ?? -1,
    isUsed: ({ onset, rime }) =>
      Array.from({ length: tones }).some((_, tone) => (table[place({ onset, rime, tone })] ?? -1) >= 0),
    nearestTo: (candidate) => nearest(unitOf(candidate)),
    meantBy: model.syllables.map((unit) =>
      language.meantBy(unit).flatMap(({ unit: meantUnit, ...details }) => {
        const number = model.syllableNumber(meantUnit);
        return number === undefined ? [] : [{ number, ...details }];
      }),
    ),
    language,
  };
}

type CandidateParts = Pick<SyllableCandidate, 'onset' | 'rime' | 'tone'>;

/**
 * Builds the lattice of the search: for every slot the candidates that some word uses. Where no
 * word uses any of them, the most probable syllable that a word uses stands in, so that the
 * transcript has a similar character instead of a gap.
 */
export function buildLattice(
  nodeCount: number,
  slots: readonly Slot[],
  numbers: SyllableNumbers,
  toneScale: number,
): SyllableLattice {
  const arcsFrom: SyllableArc[][] = Array.from({ length: nodeCount }, () => []);
  const toneLogpAfter = followingTones(nodeCount, slots, numbers.language);
  for (const slot of slots) {
    const arcs = arcsFrom[slot.from];
    if (arcs === undefined) continue;
    const first = arcs.length;
    const total = slotLogp(slot);
    const candidates = knownCandidates(slot, numbers, toneScale);
    for (const { candidate, syllable, logp, standsIn } of candidates) {
      const { startFrame, endFrame } = candidate;
      // A stand-in was not itself recognized.
      const posterior = standsIn ? 0 : Math.exp(candidate.logp - total);
      arcs.push({ from: slot.from, to: slot.to, syllable, logp, posterior, startFrame, endFrame });
    }
    addMeantSyllables(arcs, first, numbers.meantBy, toneLogpAfter);
    const mayBeSilent = slot.to === slot.from + 1 && (candidates.length === 0 || slot.silenceLogp > SILENCE_FLOOR);
    if (mayBeSilent) {
      arcs.push({
        from: slot.from,
        to: slot.to,
        syllable: -1,
        logp: slot.silenceLogp,
        posterior: Math.exp(slot.silenceLogp - total),
        startFrame: 0,
        endFrame: 0,
      });
    }
  }
  return { arcsFrom };
}

/**
 * Guarantees a path when the search found none: a slot whose syllables are no words by themselves,
 * and form none with their neighbors, gets the nearest syllable that is a word.
 */
export function withStandIns({ arcsFrom }: SyllableLattice, numbers: SyllableNumbers): SyllableLattice {
  return {
    arcsFrom: arcsFrom.map((arcs) => {
      const standIns = [...new Set(arcs.map(({ to }) => to))].flatMap((to) => {
        const slotArcs = arcs.filter((arc) => arc.to === to);
        const best = slotArcs.reduce((top, arc) => (arc.logp > top.logp ? arc : top));
        if (slotArcs.some(({ syllable }) => syllable < 0 || numbers.standsAlone(syllable))) return [];
        const syllable = numbers.nearestAlone(best.syllable);
        return [{ ...best, syllable, logp: best.logp - STAND_IN_COST, posterior: 0 }];
      });
      return [...arcs, ...standIns];
    }),
  };
}

type KnownCandidate = { candidate: SyllableCandidate; syllable: number; logp: number; standsIn: boolean };

/**
 * Returns the candidates that some word uses, best first; without any, the syllable nearest to the
 * best candidate.
 */
function knownCandidates(slot: Slot, { numberOf, nearestTo }: SyllableNumbers, toneScale: number): KnownCandidate[] {
  const [best] = slot.candidates;
  const scoreOf = (candidate: SyllableCandidate): number => candidate.segmentalLogp + toneScale * candidate.toneLogp;
  if (best === undefined) return [];
  const usable = slot.candidates.filter((candidate) => numberOf(candidate) >= 0).slice(0, ARCS_PER_SLOT);
  const [bestUsable] = usable;
  if (bestUsable === undefined) {
    return [{ candidate: best, syllable: nearestTo(best), logp: scoreOf(best) - STAND_IN_COST, standsIn: true }];
  }
  const raise = Math.max(0, best.logp - STAND_IN_COST - bestUsable.logp);
  return usable
    .filter((candidate) => candidate.logp >= bestUsable.logp - ARC_MARGIN)
    .map((candidate) => ({
      candidate,
      syllable: numberOf(candidate),
      logp: scoreOf(candidate) + raise,
      standsIn: false,
    }));
}

/**
 * Adds variants by merged sounds to the arcs from index `first` on, unless present with a better
 * score.
 */
function addMeantSyllables(
  arcs: SyllableArc[],
  first: number,
  meantBy: SyllableNumbers['meantBy'],
  toneLogpAfter: (node: number, tones: readonly number[]) => number,
): void {
  const bestOf = new Map<string, number>();
  for (const arc of arcs) bestOf.set(`${arc.to} ${arc.syllable}`, arc.logp);
  for (const arc of arcs.slice(first)) {
    for (const { number, logp, beforeTones } of meantBy[arc.syllable] ?? []) {
      const key = `${arc.to} ${number}`;
      const meantLogp = arc.logp + logp + (beforeTones === undefined ? 0 : toneLogpAfter(arc.to, beforeTones));
      if (meantLogp <= (bestOf.get(key) ?? -Infinity)) continue;
      bestOf.set(key, meantLogp);
      arcs.push({ ...arc, syllable: number, logp: meantLogp });
    }
  }
}

/** Builds a lattice of certain syllables, for text with known jyutping. One frame per syllable. */
export function certainLattice(syllables: readonly number[]): SyllableLattice {
  const arcsFrom: SyllableArc[][] = syllables.map((syllable, index) => [
    { from: index, to: index + 1, syllable, logp: 0, posterior: 1, startFrame: index, endFrame: index + 1 },
  ]);
  arcsFrom.push([]);
  return { arcsFrom };
}
