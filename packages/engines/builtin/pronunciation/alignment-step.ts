import { symbolCount } from '#engines/builtin/decoder/labels.ts';
import type { AcousticLabels, Posteriors } from '#engines/builtin/decoder/types.ts';
import type { AlignmentCosts } from './alignment-costs.ts';
import {
  BLANK,
  EXTRA_GAP,
  EXTRA_ONSET,
  EXTRA_RIME,
  GAP,
  ONSET,
  OTHER_ONSET,
  OTHER_RIME,
  RIME,
  STATES,
  type AlignedUnit,
} from './alignment-graph.ts';
import type { Junctions } from './alignment-junctions.ts';

/** Values per frame that do not depend on the text. */
export type Emissions = {
  blank: Float32Array;
  anyOnset: Float32Array;
  anyRime: Float32Array;
  /** 1 for a frame whose likeliest rime differs from that of the frame before. */
  isNewRime: Uint8Array;
};

/** Sums over the symbols of every frame, for all steps. */
export function emissionsOf(posteriors: Posteriors, labels: AcousticLabels): Emissions {
  const { frameCount, symbolLogp } = posteriors;
  const width = symbolCount(labels);
  const firstRime = 1 + labels.onsets.length;
  const blank = new Float32Array(frameCount);
  const anyOnset = new Float32Array(frameCount);
  const anyRime = new Float32Array(frameCount);
  const isNewRime = new Uint8Array(frameCount);
  let rimeBefore = -1;
  for (let frame = 0; frame < frameCount; frame++) {
    const row = frame * width;
    let onsets = 1e-30;
    let rimes = 1e-30;
    let best = -Infinity;
    let bestRime = -1;
    for (let column = 1; column < firstRime; column++) onsets += Math.exp(symbolLogp[row + column]!);
    for (let column = firstRime; column < width; column++) {
      const logp = symbolLogp[row + column]!;
      rimes += Math.exp(logp);
      if (logp > best) [best, bestRime] = [logp, column];
    }
    blank[frame] = symbolLogp[row]!;
    anyOnset[frame] = Math.log(onsets);
    anyRime[frame] = Math.log(rimes);
    isNewRime[frame] = bestRime === rimeBefore ? 0 : 1;
    rimeBefore = bestRime;
  }
  return { blank, anyOnset, anyRime, isNewRime };
}

/** Columns of the onsets and rimes with which a unit may begin. */
type Columns = { onsets: readonly number[]; rimes: readonly number[]; mayHaveNoOnset: boolean };

function columnsOf(unit: AlignedUnit, labels: AcousticLabels): Columns {
  const firstRime = 1 + labels.onsets.length;
  const onsets = (unit ?? []).flatMap(({ onset, onsetVariants }) => [onset, ...onsetVariants]);
  const rimes = (unit ?? []).flatMap(({ rime, rimeVariants }) => [rime, ...rimeVariants]);
  return {
    onsets: [...new Set(onsets.filter((onset) => onset > 0))],
    rimes: [...new Set(rimes)].map((rime) => firstRime + rime),
    mayHaveNoOnset: onsets.includes(0),
  };
}

export type Step = (
  frame: number,
  scores: Float64Array,
  next: Float64Array<ArrayBuffer>,
  cameFrom: Uint16Array<ArrayBuffer>,
) => void;

/**
 * Computes one frame of the recursion. `cameFrom` receives the best previous state of each state.
 */
export function createStep(
  { symbolLogp }: Posteriors,
  labels: AcousticLabels,
  units: readonly AlignedUnit[],
  { costs, emissions, junctions }: { costs: AlignmentCosts; emissions: Emissions; junctions: Junctions },
): Step {
  const { silent, silentFrom, spoken, spokenFrom } = junctions;
  const columns = units.map((unit) => columnsOf(unit, labels));
  const width = symbolCount(labels);
  const choice = createChoice();
  const { offer, put } = choice;
  const rimes = [
    { state: RIME, cost: 0 },
    { state: OTHER_RIME, cost: costs.otherRime },
  ];

  const stepExtras = (frame: number, place: number, scores: Float64Array): void => {
    const at = place * STATES;
    const isOther = place < units.length && units[place] === null;
    const insertion = isOther ? costs.other : costs.insertion;
    const fragment = isOther ? costs.other : costs.fragment;
    const remainingCost = Math.max(0, insertion - fragment);
    offer(silent[place]!, silentFrom[place]!);
    offer(spoken[place]!, spokenFrom[place]!);
    put(at + BLANK, emissions.blank[frame]!);
    offer(silent[place]! - fragment, silentFrom[place]!);
    offer(spoken[place]! - fragment, spokenFrom[place]!);
    offer(scores[at + EXTRA_ONSET]!, at + EXTRA_ONSET);
    put(at + EXTRA_ONSET, emissions.anyOnset[frame]!);
    offer(scores[at + EXTRA_ONSET]!, at + EXTRA_ONSET);
    offer(scores[at + EXTRA_GAP]!, at + EXTRA_GAP);
    put(at + EXTRA_GAP, emissions.blank[frame]!);
    offer(silent[place]! - insertion, silentFrom[place]!);
    offer(scores[at + EXTRA_ONSET]! - remainingCost, at + EXTRA_ONSET);
    offer(scores[at + EXTRA_GAP]! - remainingCost, at + EXTRA_GAP);
    // A change of rime begins another syllable; without a change CTC cannot separate two from one.
    if (emissions.isNewRime[frame] === 1) offer(spoken[place]! - insertion, spokenFrom[place]!);
    else offer(scores[at + EXTRA_RIME]!, at + EXTRA_RIME);
    put(at + EXTRA_RIME, emissions.anyRime[frame]!);
  };

  const stepUnit = (frame: number, place: number, unit: Columns, scores: Float64Array): void => {
    const at = place * STATES;
    const row = frame * width;
    const noOnset = unit.mayHaveNoOnset ? 0 : costs.noOnset;
    offer(silent[place]!, silentFrom[place]!);
    offer(spoken[place]!, spokenFrom[place]!);
    offer(scores[at + ONSET]!, at + ONSET);
    put(at + ONSET, bestOf(symbolLogp, row, unit.onsets));
    offer(silent[place]! - costs.otherOnset, silentFrom[place]!);
    offer(spoken[place]! - costs.otherOnset, spokenFrom[place]!);
    offer(scores[at + OTHER_ONSET]!, at + OTHER_ONSET);
    put(at + OTHER_ONSET, emissions.anyOnset[frame]!);
    for (const state of BEFORE_RIME) offer(scores[at + state]!, at + state);
    put(at + GAP, emissions.blank[frame]!);
    for (const { state, cost } of rimes) {
      for (const before of BEFORE_RIME) offer(scores[at + before]! - cost, at + before);
      offer(silent[place]! - noOnset - cost, silentFrom[place]!);
      if (emissions.isNewRime[frame] === 1) offer(spoken[place]! - noOnset - cost, spokenFrom[place]!);
      offer(scores[at + state]!, at + state);
      put(at + state, state === RIME ? bestOf(symbolLogp, row, unit.rimes) : emissions.anyRime[frame]!);
    }
  };

  return (frame, scores, next, cameFrom) => {
    choice.begin(next, cameFrom);
    for (let place = 0; place <= units.length; place++) {
      stepExtras(frame, place, scores);
      const unit = columns[place];
      if (unit !== undefined && units[place] !== null) stepUnit(frame, place, unit, scores);
    }
  };
}

const BEFORE_RIME = [ONSET, OTHER_ONSET, GAP];

/** Collects the best of several transitions into a state, then writes it. */
function createChoice() {
  let next = new Float64Array(0);
  let cameFrom = new Uint16Array(0);
  let best = -Infinity;
  let from = 0;
  return {
    begin(scores: Float64Array<ArrayBuffer>, states: Uint16Array<ArrayBuffer>): void {
      next = scores;
      cameFrom = states;
    },
    offer(score: number, state: number): void {
      if (score <= best) return;
      best = score;
      from = state;
    },
    put(state: number, emission: number): void {
      next[state] = best + emission;
      cameFrom[state] = from;
      best = -Infinity;
      from = 0;
    },
  };
}

function bestOf(logp: Float32Array, row: number, columns: readonly number[]): number {
  let best = -Infinity;
  for (const column of columns) best = Math.max(best, logp[row + column]!);
  return best;
}
