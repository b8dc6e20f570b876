import type { InsertedSpeech } from '@jyutsing/contracts/pronunciation';
import type { AlignedUnit } from './alignment-graph.ts';
import { isFiller } from './fillers.ts';
import type { RecognizedAttempt } from './recognize-attempts.ts';
import type { SyllableSounds } from './syllable-sounds.ts';

/**
 * Lists what a recording has beyond its text: all attempts at a syllable but the last one, and
 * syllables between those of the text. A consonant alone does not count, nor does what stands
 * beside a word of another language, which may be spoken in any way.
 */
export function insertedSpeech(
  attempts: readonly RecognizedAttempt[],
  units: readonly AlignedUnit[],
  sounds: SyllableSounds,
): InsertedSpeech[] {
  const last = new Map(attempts.map(({ attempt }, index) => [attempt.unit, index]));
  return attempts.flatMap((recognized, index): InsertedSpeech[] => {
    const { unit, place, rimeEnd } = recognized.attempt;
    const { frameMs } = sounds.labels;
    const { startFrame, endFrame } = recognized.sounding;
    const heardText = sounds.write(recognized.heard);
    const stretch = { heard: heardText, startMs: startFrame * frameMs, endMs: endFrame * frameMs };
    if (unit !== null) return last.get(unit) === index ? [] : [{ kind: 'repetition', ...stretch }];
    if (rimeEnd === 0 || (place < units.length && units[place] === null)) return [];
    return [{ kind: isFiller(sounds.language, heardText) ? 'filler' : 'other', ...stretch }];
  });
}

/** Counts insertions by kind. */
export function countInsertions(all: readonly InsertedSpeech[]) {
  const count = (kind: InsertedSpeech['kind']): number => all.filter((one) => one.kind === kind).length;
  return { repetitions: count('repetition'), insertions: count('other'), fillers: count('filler') };
}
