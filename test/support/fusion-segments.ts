import type { RecognizedSyllable } from '@jyutsing/contracts/transcript';
import type { CorrectionSegment, Term } from '@jyutsing/contracts/corrector';

const SYLLABLE_MS = 200;

/**
 * Consecutive syllables of 200 ms. `a|b` are alternatives, the most likely first; `~` marks one
 * that is too unlikely (0.5 %) to support a correction.
 */
export function syllablesOf(line: string, startMs = 0): RecognizedSyllable[] {
  return line
    .split(' ')
    .filter((syllable) => syllable !== '')
    .map((syllable, index) => ({
      startMs: startMs + index * SYLLABLE_MS,
      endMs: startMs + (index + 1) * SYLLABLE_MS,
      alternatives: syllable.split('|').map((reading, rank) => {
        const isUnlikely = reading.startsWith('~');
        return { reading: reading.replace('~', ''), probability: isUnlikely ? 0.005 : rank === 0 ? 0.6 : 0.2 / rank };
      }),
    }));
}

/**
 * A recognized segment from 1,000 ms on: a word of 200 ms for each Chinese character and each run
 * of letters or digits. `line`: the syllables of the Chinese characters in order; surplus ones
 * follow the last word within the segment.
 */
export function recognizedSegment(text: string, line: string, startMs = 1_000): CorrectionSegment {
  const units = text.match(/\p{Script=Han}\p{Mn}*|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu) ?? [];
  const syllables = syllablesOf(line);
  let used = 0;
  const at = (index: number) => ({
    startMs: startMs + index * SYLLABLE_MS,
    endMs: startMs + (index + 1) * SYLLABLE_MS,
  });
  const words = units.map((unit, index) => {
    const syllable = /\p{Script=Han}/u.test(unit) ? syllables[used++] : undefined;
    if (syllable !== undefined) Object.assign(syllable, at(index));
    return { text: unit, reading: syllable?.alternatives[0]?.reading ?? null, confidence: 0.5, ...at(index) };
  });
  for (const [index, syllable] of syllables.slice(used).entries()) Object.assign(syllable, at(units.length + index));
  const endMs = startMs + (units.length + Math.max(0, syllables.length - used)) * SYLLABLE_MS;
  return { segment: { text, startMs, endMs, words, speaker: null, confidence: null }, syllables };
}

/** A term with one reading. */
export function term(text: string, reading: string, weight = 1): Term {
  return { text, readings: [reading.split(' ')], weight };
}
