import { MAX_REPETITION, type AlignmentCosts } from './alignment-costs.ts';
import { BLANK, EXTRA_ONSET, EXTRA_RIME, OTHER_RIME, RIME, STATES, type AlignedUnit } from './alignment-graph.ts';

/**
 * Moments between two units. `silent` follow a pause (or the beginning); `spoken` directly follow a
 * sound, where CTC cannot separate a rime from its repetition.
 */
export type Junctions = {
  silent: Float64Array;
  silentFrom: Int32Array;
  spoken: Float64Array;
  spokenFrom: Int32Array;
  begin(): void;
  update(scores: Float64Array): void;
  /** Returns the best state in which the text can end. */
  end(): number;
};

export function createJunctions(units: readonly AlignedUnit[], costs: AlignmentCosts): Junctions {
  const count = units.length + 1;
  const silent = new Float64Array(count);
  const spoken = new Float64Array(count);
  const silentFrom = new Int32Array(count);
  const spokenFrom = new Int32Array(count);

  // Repetition comes before omission, because a speaker goes back and then on.
  const close = (score: Float64Array, from: Int32Array): void => {
    for (let place = 0; place < count - 1; place++) {
      for (let back = 1; back <= MAX_REPETITION && place + back < count; back++) {
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
        // A word of another language is omitted at no cost, and does not end a run of omissions.
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
