import { normaliseSyllable } from '#language/jyutping.ts';
import type { LanguageModel } from './language-model.ts';
import type { Hearing } from './slot-hearings.ts';
import type { Slot } from './syllable-slots.ts';
import type { AcousticLabels } from './types.ts';

/** One way to hear a stretch of sound: a syllable, or nothing at all. */
export type SyllableArc = {
  from: number;
  to: number;
  /** Number in the language model; −1 when the stretch holds no syllable. */
  syllable: number;
  /** Natural logarithm of its probability within the stretch. */
  logp: number;
  /** Probability among all ways to hear the same stretch, 0 to 1. */
  posterior: number;
  /** First frame of the syllable and the frame after its last. */
  startFrame: number;
  endFrame: number;
};

/** Everything that may have been said, as arcs between moments. Nodes are numbered in time order, arcs go forward. */
export type SyllableLattice = {
  /** Arcs by the node they leave; the last node has none. */
  arcsFrom: SyllableArc[][];
};

/** Syllables kept for one stretch. */
const ARCS_PER_SLOT = 28;
/** Syllables worse than the best of their stretch by more than this are dropped. */
const ARC_MARGIN = 11;
/** Silence less likely than this is not considered. */
const SILENCE_FLOOR = -12;

/** The language model's number of every [onset] rime tone of the acoustic model, −1 where no word uses it. */
export function syllableNumbers(labels: AcousticLabels, model: LanguageModel): (hearing: Hearing) => number {
  const rimes = labels.rimes.length;
  const table = new Int32Array((labels.onsets.length + 1) * rimes * 6).fill(-1);
  ['', ...labels.onsets].forEach((onset, onsetIndex) => {
    labels.rimes.forEach((rime, rimeIndex) => {
      for (let tone = 0; tone < 6; tone++) {
        const written = `${onset}${rime}${tone + 1}`;
        const number = model.syllableNumber(normaliseSyllable(written) ?? written);
        if (number !== undefined) table[(onsetIndex * rimes + rimeIndex) * 6 + tone] = number;
      }
    });
  });
  return ({ onset, rime, tone }) => table[((onset + 1) * rimes + rime) * 6 + tone] ?? -1;
}

/**
 * The lattice the search walks: of every slot the hearings that some word uses. Where a slot is heard only as
 * syllables that no word uses, the likeliest one that a word does use stands in, so that the transcript gets a
 * character of the nearest sound rather than a hole.
 */
export function buildLattice(
  nodeCount: number,
  slots: readonly Slot[],
  numberOf: (hearing: Hearing) => number,
): SyllableLattice {
  const arcsFrom: SyllableArc[][] = Array.from({ length: nodeCount }, () => []);
  for (const slot of slots) {
    const arcs = arcsFrom[slot.from];
    if (arcs === undefined) continue;
    const total = slotLogp(slot);
    const best = Math.max(slot.hearings[0]?.logp ?? -Infinity, slot.silenceLogp);
    let kept = 0;
    for (const hearing of slot.hearings) {
      if (kept >= ARCS_PER_SLOT || (kept > 0 && hearing.logp < best - ARC_MARGIN)) break;
      const syllable = numberOf(hearing);
      if (syllable < 0) continue;
      arcs.push({
        from: slot.from,
        to: slot.to,
        syllable,
        logp: hearing.logp,
        posterior: Math.exp(hearing.logp - total),
        startFrame: hearing.startFrame,
        endFrame: hearing.endFrame,
      });
      kept++;
    }
    const mayBeSilent = slot.to === slot.from + 1 && (kept === 0 || slot.silenceLogp > SILENCE_FLOOR);
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

/** Log of the summed probability of everything a slot may be. */
export function slotLogp(slot: Slot): number {
  const best = Math.max(slot.hearings[0]?.logp ?? -Infinity, slot.silenceLogp);
  let sum = Math.exp(slot.silenceLogp - best);
  for (const hearing of slot.hearings) sum += Math.exp(hearing.logp - best);
  return best + Math.log(sum);
}

/** A lattice in which every syllable is certain, for text whose jyutping is known. One frame a syllable. */
export function certainLattice(syllables: readonly number[]): SyllableLattice {
  const arcsFrom: SyllableArc[][] = syllables.map((syllable, index) => [
    { from: index, to: index + 1, syllable, logp: 0, posterior: 1, startFrame: index, endFrame: index + 1 },
  ]);
  arcsFrom.push([]);
  return { arcsFrom };
}
