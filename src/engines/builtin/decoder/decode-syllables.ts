import type { SyllableLanguage } from './syllable-language.ts';
import type { Hearing } from './slot-hearings.ts';
import { type Slot, slotLogp } from './syllable-slots.ts';
import { type TimedFrames, frameTimes } from './timing.ts';
import type { AcousticLabels, DecodedSyllable } from './types.ts';

/** The likeliest way through the slots by sound alone: syllables with times, whether or not any word uses them. */
export function bestSyllables(
  nodeCount: number,
  slots: readonly Slot[],
  labels: AcousticLabels,
  language: SyllableLanguage,
  frameCount: number,
): DecodedSyllable[] {
  const chosen = bestPath(nodeCount, slots).filter(({ hearing }) => hearing !== null);
  const frames: TimedFrames[] = chosen.map(({ hearing }) => hearing ?? { startFrame: 0, endFrame: 0 });
  const times = frameTimes(frames, labels.frameMs, frameCount);
  return chosen.flatMap(({ slot, hearing }, index) => {
    if (hearing === null) return [];
    const onset = labels.onsets[hearing.onset] ?? '';
    const rime = labels.rimes[hearing.rime] ?? '';
    return [
      {
        reading: language.reading(onset, rime, hearing.tone + 1),
        onset,
        rime,
        tone: hearing.tone + 1,
        startMs: times[index]?.startMs ?? 0,
        endMs: times[index]?.endMs ?? 0,
        confidence: Math.min(1, Math.exp(hearing.logp - slotLogp(slot))),
        toneConfidence: Math.min(1, Math.exp(hearing.toneLogp)),
      },
    ];
  });
}

type Step = { slot: Slot; hearing: Hearing | null };

function bestPath(nodeCount: number, slots: readonly Slot[]): Step[] {
  const score = new Float64Array(nodeCount).fill(-Infinity);
  const arrivedBy: (Step | null)[] = Array.from({ length: nodeCount }, () => null);
  score[0] = 0;
  // Slots come ordered by the node they leave, so every node is final before it is left.
  for (const slot of slots) {
    const hearing = slot.hearings[0] ?? null;
    const spoken = hearing?.logp ?? -Infinity;
    const reached = (score[slot.from] ?? -Infinity) + Math.max(spoken, slot.silenceLogp);
    if (reached > (score[slot.to] ?? -Infinity)) {
      score[slot.to] = reached;
      arrivedBy[slot.to] = { slot, hearing: spoken >= slot.silenceLogp ? hearing : null };
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
