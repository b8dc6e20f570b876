import { symbolCount } from './labels.ts';
import { type SyllableCandidate, findCandidates, silenceLogp } from './syllable-candidates.ts';
import type { AcousticLabels, Posteriors } from './types.ts';

/** A range of frames between two nodes, with all its candidates. */
export type Slot = {
  from: number;
  to: number;
  /** Candidates, best first; empty for silence. */
  candidates: SyllableCandidate[];
  /** Log-probability of silence. */
  silenceLogp: number;
};

/** Least probability of some rime at which a frame begins a slot. */
const SPIKE_THRESHOLD = 0.08;
/** Largest distance in frames at which neighboring spikes may be one ambiguous syllable. */
const MERGE_GAP_FRAMES = 2;
/** Largest number of spikes that one slot takes together. */
const MERGED_SPIKES = 3;

type Spike = { start: number; end: number };

/**
 * Cuts an utterance at the rime spikes of its CTC posteriors: a node after every spike, a slot
 * between neighboring nodes, and longer slots over spikes so close that they may be one syllable.
 * Slots partition the frames along every path, so the product of their probabilities approximates
 * the CTC probability of the whole.
 */
export function findSlots(posteriors: Posteriors, labels: AcousticLabels): { nodeCount: number; slots: Slot[] } {
  const spikes = findSpikes(posteriors, labels);
  if (spikes.length === 0) return { nodeCount: 1, slots: [] };
  const slots: Slot[] = [];
  const nodeFrame = (node: number): number =>
    node === 0 ? 0 : node === spikes.length ? posteriors.frameCount : (spikes[node - 1]?.end ?? 0);
  for (let from = 0; from < spikes.length; from++) {
    for (let to = from + 1; to <= Math.min(spikes.length, from + MERGED_SPIKES); to++) {
      const gap = to === from + 1 ? 0 : (spikes[to - 1]?.start ?? 0) - (spikes[to - 2]?.end ?? 0);
      if (gap > MERGE_GAP_FRAMES) break;
      const [start, end] = [nodeFrame(from), nodeFrame(to)];
      const silent = to === from + 1 ? silenceLogp(posteriors, labels, start, end) : -Infinity;
      slots.push({ from, to, candidates: findCandidates(posteriors, labels, start, end), silenceLogp: silent });
    }
  }
  return { nodeCount: spikes.length + 1, slots };
}

/** Finds runs of frames in which some rime is likely, cut where the likeliest rime changes. */
function findSpikes(posteriors: Posteriors, labels: AcousticLabels): Spike[] {
  const width = symbolCount(labels);
  const firstRime = 1 + labels.onsets.length;
  const spikes: Spike[] = [];
  let current: Spike | null = null;
  let currentRime = -1;
  for (let frame = 0; frame < posteriors.frameCount; frame++) {
    let mass = 0;
    let best = -Infinity;
    let bestRime = -1;
    const row = frame * width;
    // Skip blank frames, which are most of them, with one comparison.
    if ((posteriors.symbolLogp[row] ?? 0) < Math.log(1 - SPIKE_THRESHOLD)) {
      for (let column = firstRime; column < width; column++) {
        const logp = posteriors.symbolLogp[row + column] ?? -Infinity;
        if (logp > -9) mass += Math.exp(logp);
        if (logp > best) {
          best = logp;
          bestRime = column;
        }
      }
    }
    if (mass < SPIKE_THRESHOLD) {
      current = null;
    } else if (current === null || bestRime !== currentRime) {
      current = { start: frame, end: frame + 1 };
      currentRime = bestRime;
      spikes.push(current);
    } else {
      current.end = frame + 1;
    }
  }
  return spikes;
}

/** Computes the logarithm of the summed probability of all hypotheses of a slot. */
export function slotLogp(slot: Slot): number {
  const best = Math.max(slot.candidates[0]?.logp ?? -Infinity, slot.silenceLogp);
  let sum = Math.exp(slot.silenceLogp - best);
  for (const candidate of slot.candidates) sum += Math.exp(candidate.logp - best);
  return best + Math.log(sum);
}
