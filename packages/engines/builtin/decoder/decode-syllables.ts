import type { SyllableNumbers } from './syllable-lattice.ts';
import type { SyllableCandidate } from './syllable-candidates.ts';
import { type Slot, slotLogp } from './syllable-slots.ts';
import { type TimedFrames, frameTimes } from './timing.ts';
import type { AcousticLabels, DecodedSyllable, SyllableAlternatives } from './types.ts';

/**
 * Log-priors of a syllable that words only have in other tones, and of a syllable that no word has:
 * names, slips and learners.
 */
const UNUSED_TONE_LOGP = -0.5;
const NO_SYLLABLE_LOGP = -2;

/**
 * Finds the best path through the slots by sound and by the syllable inventory of the language:
 * syllables with times. Ignores words and sentences.
 */
export function bestSyllables(
  nodeCount: number,
  slots: readonly Slot[],
  labels: AcousticLabels,
  numbers: SyllableNumbers,
  frameCount: number,
): DecodedSyllable[] {
  const { language } = numbers;
  const chosen = bestPath(nodeCount, slots, numbers).filter(({ candidate }) => candidate !== null);
  const frames: TimedFrames[] = chosen.map(({ candidate }) => candidate ?? { startFrame: 0, endFrame: 0 });
  const times = frameTimes(frames, labels.frameMs, frameCount);
  return chosen.flatMap(({ slot, candidate }, index) => {
    if (candidate === null) return [];
    const onset = labels.onsets[candidate.onset] ?? '';
    const rime = labels.rimes[candidate.rime] ?? '';
    return [
      {
        reading: language.reading(onset, rime, candidate.tone + 1),
        onset,
        rime,
        tone: candidate.tone + 1,
        startMs: times[index]?.startMs ?? 0,
        endMs: times[index]?.endMs ?? 0,
        confidence: Math.min(1, Math.exp(candidate.logp - slotLogp(slot))),
        toneConfidence: Math.min(1, Math.exp(candidate.toneLogp)),
      },
    ];
  });
}

type Step = { slot: Slot; candidate: SyllableCandidate | null };

/** Largest number of alternatives of one slot, and their least probability. */
const MAX_ALTERNATIVES = 16;
const MIN_PROBABILITY = 0.001;
/** Distance from the best candidate, in nats, beyond which others are ignored. */
const NEGLIGIBLE_LOGP = -8;

/**
 * Lists the alternatives of every slot on the same path. Tones are weighted as in the word search
 * (`toneScale`), because the model is overconfident about them.
 */
export function syllableAlternatives(
  { nodeCount, slots, frameCount }: { nodeCount: number; slots: readonly Slot[]; frameCount: number },
  labels: AcousticLabels,
  numbers: SyllableNumbers,
  toneScale: number,
): SyllableAlternatives[] {
  const chosen = bestPath(nodeCount, slots, numbers).flatMap(({ slot, candidate }) =>
    candidate === null ? [] : [{ slot, candidate }],
  );
  const times = frameTimes(
    chosen.map(({ candidate }) => candidate),
    labels.frameMs,
    frameCount,
  );
  return chosen.flatMap(({ slot }, index) => {
    const alternatives = alternativesOf(slot, labels, numbers, toneScale);
    const time = times[index];
    return time === undefined || alternatives.length === 0 ? [] : [{ ...time, alternatives }];
  });
}

function alternativesOf(
  { candidates, silenceLogp }: Slot,
  labels: AcousticLabels,
  numbers: SyllableNumbers,
  toneScale: number,
): SyllableAlternatives['alternatives'] {
  const [best] = candidates;
  if (best === undefined) return [];
  const unlikely = best.segmentalLogp + toneScale * best.toneLogp + priorOf(best, numbers) + NEGLIGIBLE_LOGP;
  const scored: { candidate: SyllableCandidate; probability: number }[] = [];
  let sum = 0;
  for (const candidate of candidates) {
    const spoken = candidate.segmentalLogp + toneScale * candidate.toneLogp;
    // Priors are at most 0, so no later candidate can be likelier.
    if (spoken < unlikely) continue;
    const probability = Math.exp(spoken + priorOf(candidate, numbers) - best.logp);
    sum += probability;
    scored.push({ candidate, probability });
  }
  // The share of silence is measured against the best syllable with its whole tone.
  const total = sum * (1 + Math.exp(Math.min(0, silenceLogp - best.logp)));
  return scored
    .map(({ candidate, probability }) => ({ candidate, probability: probability / total }))
    .filter(({ probability }) => probability >= MIN_PROBABILITY)
    .sort((a, b) => b.probability - a.probability)
    .slice(0, MAX_ALTERNATIVES)
    .map(({ candidate: { onset, rime, tone }, probability }) => ({
      reading: numbers.language.reading(labels.onsets[onset] ?? '', labels.rimes[rime] ?? '', tone + 1),
      probability,
    }));
}

/** Returns the log-prior of a syllable. */
function priorOf(candidate: SyllableCandidate, numbers: SyllableNumbers): number {
  return numbers.numberOf(candidate) >= 0 ? 0 : numbers.isUsed(candidate) ? UNUSED_TONE_LOGP : NO_SYLLABLE_LOGP;
}

/** Returns the best candidate of a slot, including its prior. */
function likeliest(
  candidates: readonly SyllableCandidate[],
  numbers: SyllableNumbers,
): { candidate: SyllableCandidate | null; logp: number } {
  let best: { candidate: SyllableCandidate | null; logp: number } = { candidate: null, logp: -Infinity };
  for (const candidate of candidates) {
    // Candidates are sorted by probability, and priors are at most 0.
    if (candidate.logp <= best.logp) break;
    const prior = priorOf(candidate, numbers);
    if (candidate.logp + prior > best.logp) best = { candidate, logp: candidate.logp + prior };
  }
  return best;
}

function bestPath(nodeCount: number, slots: readonly Slot[], numbers: SyllableNumbers): Step[] {
  const score = new Float64Array(nodeCount).fill(-Infinity);
  const arrivedBy: (Step | null)[] = Array.from({ length: nodeCount }, () => null);
  score[0] = 0;
  // Slots are ordered by their start node, so every node is final before it is left.
  for (const slot of slots) {
    const { candidate, logp: spoken } = likeliest(slot.candidates, numbers);
    const reached = (score[slot.from] ?? -Infinity) + Math.max(spoken, slot.silenceLogp);
    if (reached > (score[slot.to] ?? -Infinity)) {
      score[slot.to] = reached;
      arrivedBy[slot.to] = { slot, candidate: spoken >= slot.silenceLogp ? candidate : null };
    }
  }
  const steps: Step[] = [];
  for (let node = nodeCount - 1; node > 0;) {
    const step = arrivedBy[node] ?? null;
    if (step === null) break;
    steps.unshift(step);
    node = step.slot.from;
  }
  return steps;
}
