import type { RecognizedSyllable } from '@jyutsing/contracts/transcript';
import type { CorrectionSegment, Term } from '@jyutsing/contracts/corrector';

const SYLLABLE_MS = 200;

/**
 * Syllables of 200 ms one after the other, for tests. `a|b` are alternatives, likelier first; one with `~` before it is so unlikely
 * (0.5 %) that it counts as not heard.
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
 * A segment as a recogniser gives it, from 1,000 ms on: a word of 200 ms for each Chinese character and each run of letters or digits.
 * The syllables of `heard` belong to the Chinese characters in turn; what is more of them comes after, in the segment still.
 */
export function recognizedSegment(text: string, heard: string, startMs = 1_000): CorrectionSegment {
  const units = text.match(/\p{Script=Han}\p{Mn}*|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu) ?? [];
  const syllables = syllablesOf(heard);
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
