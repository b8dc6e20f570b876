import { symbolCount } from '#engines/builtin/decoder/labels.ts';
import type { AcousticLabels, Posteriors } from '#engines/builtin/decoder/types.ts';
import { ALIGNMENT_COSTS, LONGEST_REPETITION, type AlignmentCosts } from './alignment-costs.ts';
import type { Reading } from './syllable-sounds.ts';

/** What is aligned: the accepted readings of a unit, or null for a unit that may be any sound or nothing. */
export type AlignedUnit = readonly Reading[] | null;

/** A stretch of sound with one syllable in it. */
export type Attempt = {
  /** Number of the unit that it is an attempt at; null for a sound that the text does not have. */
  unit: number | null;
  /** Number of the unit that it is or comes before; the number of units after the last one. */
  place: number;
  /** First frame of its first symbol, frame after its last one. */
  startFrame: number;
  endFrame: number;
  /** Frames in which the rime is heard; empty for a consonant alone. */
  rimeStart: number;
  rimeEnd: number;
};

/** States of a place in the text: silence before it, a sound put in before it, and the unit itself. */
const BLANK = 0;
const EXTRA_ONSET = 1;
const EXTRA_RIME = 2;
const ONSET = 3;
const OTHER_ONSET = 4;
const GAP = 5;
const RIME = 6;
const OTHER_RIME = 7;
const EXTRA_GAP = 8;
const STATES = 9;

/** Nobody says more syllables than this in a frame of 30 ms; a text that goes on longer is left out at its end, and costs no memory. */
const MOST_UNITS_PER_FRAME = 0.45;
const SPARE_UNITS = 40;

/** What the frames say whatever the text is. */
type Emissions = {
  blank: Float32Array;
  anyOnset: Float32Array;
  anyRime: Float32Array;
  /** 1 where another rime is the likeliest than in the frame before. */
  isNewRime: Uint8Array;
};

/**
 * The most probable way through a text: CTC Viterbi alignment (Graves et al. 2006) over a graph in which every unit may be said by any
 * of its readings, said wrongly in its place, left out or said once more, and any syllable may come between. Attempts are in order of
 * time. Tones play no part: what the model takes for a tone tells little about where a syllable is.
 */
export function align(
  posteriors: Posteriors,
  labels: AcousticLabels,
  allUnits: readonly AlignedUnit[],
  costs: AlignmentCosts = ALIGNMENT_COSTS,
): Attempt[] {
  const { frameCount } = posteriors;
  const units = allUnits.slice(0, SPARE_UNITS + Math.ceil(frameCount * MOST_UNITS_PER_FRAME));
  if (frameCount === 0) return [];
  const emissions = emissionsOf(posteriors, labels);
  const width = (units.length + 1) * STATES;
  const cameFrom = new Uint16Array(frameCount * width);
  const junctions = createJunctions(units, costs);
  let scores = new Float64Array(width).fill(-Infinity);
  let next = new Float64Array(width).fill(-Infinity);
  junctions.begin();
  const step = createStep(posteriors, labels, units, costs, emissions, junctions);
  for (let frame = 0; frame < frameCount; frame++) {
    step(frame, scores, next, cameFrom.subarray(frame * width, (frame + 1) * width));
    [scores, next] = [next, scores];
    junctions.update(scores);
  }
  return toAttempts(tracePath(junctions.end(), cameFrom, width, frameCount), units.length, emissions.isNewRime);
}

function emissionsOf(posteriors: Posteriors, labels: AcousticLabels): Emissions {
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

/** What a unit may begin with, and by which columns. */
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

/**
 * The moments between two units. `silent` are those that a pause (or the beginning) comes before, `spoken` those that follow a sound
 * directly, where CTC cannot tell a rime from the same one going on.
 */
type Junctions = {
  silent: Float64Array;
  silentFrom: Int32Array;
  spoken: Float64Array;
  spokenFrom: Int32Array;
  begin(): void;
  update(scores: Float64Array): void;
  /** The best state that the text can end in. */
  end(): number;
};

function createJunctions(units: readonly AlignedUnit[], costs: AlignmentCosts): Junctions {
  const count = units.length + 1;
  const silent = new Float64Array(count);
  const spoken = new Float64Array(count);
  const silentFrom = new Int32Array(count);
  const spokenFrom = new Int32Array(count);

  // Going back comes before leaving out: the one is followed by the other when a speaker goes back and then on.
  const close = (score: Float64Array, from: Int32Array): void => {
    for (let place = 0; place < count - 1; place++) {
      for (let back = 1; back <= LONGEST_REPETITION && place + back < count; back++) {
        const reached = score[place + back]! - costs.repetition - costs.repetitionStep * back;
        if (reached <= score[place]!) continue;
        score[place] = reached;
        from[place] = from[place + back]!;
      }
    }
    let skipped = -Infinity;
    let skippedFrom = 0;
    for (let place = 1; place < count; place++) {
      if (units[place - 1] === null) {
        // A word of another language is left out for nothing, and ends no run of omissions.
        if (score[place - 1]! > score[place]!) [score[place], from[place]] = [score[place - 1]!, from[place - 1]!];
        continue;
      }
      skipped -= costs.furtherOmission;
      const first = score[place - 1]! - costs.omission;
      if (first > skipped) [skipped, skippedFrom] = [first, from[place - 1]!];
      if (skipped > score[place]!) [score[place], from[place]] = [skipped, skippedFrom];
    }
  };
  return {
    silent,
    silentFrom,
    spoken,
    spokenFrom,
    begin() {
      silent.fill(-Infinity);
      spoken.fill(-Infinity);
      silent[0] = 0;
      silentFrom[0] = BLANK;
      close(silent, silentFrom);
    },
    update(scores) {
      for (let place = 0; place < count; place++) {
        const at = place * STATES;
        silent[place] = scores[at + BLANK]!;
        silentFrom[place] = at + BLANK;
        let best = at + EXTRA_RIME;
        if (scores[at + EXTRA_ONSET]! > scores[best]!) best = at + EXTRA_ONSET;
        if (place > 0) {
          if (scores[at - STATES + RIME]! > scores[best]!) best = at - STATES + RIME;
          if (scores[at - STATES + OTHER_RIME]! > scores[best]!) best = at - STATES + OTHER_RIME;
        }
        spoken[place] = scores[best]!;
        spokenFrom[place] = best;
      }
      close(silent, silentFrom);
      close(spoken, spokenFrom);
    },
    end: () => (silent[count - 1]! >= spoken[count - 1]! ? silentFrom[count - 1]! : spokenFrom[count - 1]!),
  };
}

type Step = (frame: number, scores: Float64Array, next: Float64Array, cameFrom: Uint16Array) => void;

/** One frame of the recursion. `cameFrom` gets the state of the frame before by which each state is best reached. */
function createStep(
  { symbolLogp }: Posteriors,
  labels: AcousticLabels,
  units: readonly AlignedUnit[],
  costs: AlignmentCosts,
  emissions: Emissions,
  { silent, silentFrom, spoken, spokenFrom }: Junctions,
): Step {
  const width = symbolCount(labels);
  const columns = units.map((unit) => columnsOf(unit, labels));
  let best = -Infinity;
  let from = 0;
  const offer = (score: number, state: number): void => {
    if (score > best) [best, from] = [score, state];
  };
  return (frame, scores, next, cameFrom) => {
    const row = frame * width;
    const blank = emissions.blank[frame]!;
    const anyOnset = emissions.anyOnset[frame]!;
    const anyRime = emissions.anyRime[frame]!;
    const isNewRime = emissions.isNewRime[frame] === 1;
    const put = (state: number, emission: number): void => {
      next[state] = best + emission;
      cameFrom[state] = from;
      best = -Infinity;
      from = 0;
    };
    for (let place = 0; place <= units.length; place++) {
      const at = place * STATES;
      const [quiet, quietFrom] = [silent[place]!, silentFrom[place]!];
      const [loud, loudFrom] = [spoken[place]!, spokenFrom[place]!];
      const isOther = place < units.length && units[place] === null;
      offer(quiet, quietFrom);
      offer(loud, loudFrom);
      const [either, eitherFrom] = [best, from];
      put(at + BLANK, blank);
      offer(either - (isOther ? costs.other : costs.fragment), eitherFrom);
      offer(scores[at + EXTRA_ONSET]!, at + EXTRA_ONSET);
      put(at + EXTRA_ONSET, anyOnset);
      offer(scores[at + EXTRA_ONSET]!, at + EXTRA_ONSET);
      offer(scores[at + EXTRA_GAP]!, at + EXTRA_GAP);
      put(at + EXTRA_GAP, blank);
      const insertion = isOther ? costs.other : costs.insertion;
      offer(quiet - insertion, quietFrom);
      if (isNewRime) offer(loud - insertion, loudFrom);
      else offer(scores[at + EXTRA_RIME]!, at + EXTRA_RIME);
      const rest = Math.max(0, insertion - costs.fragment);
      offer(scores[at + EXTRA_ONSET]! - rest, at + EXTRA_ONSET);
      offer(scores[at + EXTRA_GAP]! - rest, at + EXTRA_GAP);
      put(at + EXTRA_RIME, anyRime);
      const unit = columns[place];
      if (unit === undefined || isOther) continue;
      let onset = -Infinity;
      for (const column of unit.onsets) onset = Math.max(onset, symbolLogp[row + column]!);
      let rime = -Infinity;
      for (const column of unit.rimes) rime = Math.max(rime, symbolLogp[row + column]!);
      offer(either, eitherFrom);
      offer(scores[at + ONSET]!, at + ONSET);
      put(at + ONSET, onset);
      offer(either - costs.otherOnset, eitherFrom);
      offer(scores[at + OTHER_ONSET]!, at + OTHER_ONSET);
      put(at + OTHER_ONSET, anyOnset);
      offer(scores[at + ONSET]!, at + ONSET);
      offer(scores[at + OTHER_ONSET]!, at + OTHER_ONSET);
      const [begun, begunFrom] = [best, from];
      offer(scores[at + GAP]!, at + GAP);
      put(at + GAP, blank);
      offer(begun, begunFrom);
      offer(scores[at + GAP]!, at + GAP);
      const noOnset = unit.mayHaveNoOnset ? 0 : costs.noOnset;
      offer(quiet - noOnset, quietFrom);
      if (isNewRime) offer(loud - noOnset, loudFrom);
      const [entered, enteredFrom] = [best, from];
      offer(scores[at + RIME]!, at + RIME);
      put(at + RIME, rime);
      offer(entered - costs.otherRime, enteredFrom);
      offer(scores[at + OTHER_RIME]!, at + OTHER_RIME);
      put(at + OTHER_RIME, anyRime);
    }
  };
}

function tracePath(end: number, cameFrom: Uint16Array, width: number, frameCount: number): Uint16Array {
  const path = new Uint16Array(frameCount);
  let state = end;
  for (let frame = frameCount - 1; frame >= 0; frame--) {
    path[frame] = state;
    state = cameFrom[frame * width + state]!;
  }
  return path;
}

/** How far a state is within its syllable: a later frame with an earlier one begins a syllable anew. */
const ORDER = [0, 1, 2, 1, 1, 1, 2, 2, 1];
const isGap = (kind: number): boolean => kind === GAP || kind === EXTRA_GAP;
const isLater = (kind: number, kindBefore: number): boolean => isGap(kind) || ORDER[kind]! > ORDER[kindBefore]!;

function toAttempts(path: Uint16Array, unitCount: number, isNewRime: Uint8Array): Attempt[] {
  const attempts: Attempt[] = [];
  let current: Attempt | null = null;
  let before = -1;
  path.forEach((state, frame) => {
    const kind = state % STATES;
    const place = (state - kind) / STATES;
    if (kind === BLANK) {
      current = null;
    } else {
      const isExtra = kind === EXTRA_ONSET || kind === EXTRA_RIME || kind === EXTRA_GAP;
      const unit = isExtra || place >= unitCount ? null : place;
      const kindBefore = before % STATES;
      const goesOn =
        current !== null &&
        current.unit === unit &&
        (before - kindBefore) / STATES === place &&
        (kind === kindBefore ? kind !== EXTRA_RIME || isNewRime[frame] === 0 : isLater(kind, kindBefore));
      if (current === null || !goesOn) {
        current = { unit, place, startFrame: frame, endFrame: frame, rimeStart: 0, rimeEnd: 0 };
        attempts.push(current);
      }
      if (!isGap(kind)) current.endFrame = frame + 1;
      if (ORDER[kind] === 2) {
        if (current.rimeEnd === 0) current.rimeStart = frame;
        current.rimeEnd = frame + 1;
      }
    }
    before = state;
  });
  return attempts;
}
