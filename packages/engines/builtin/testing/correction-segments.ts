import type { CorrectionSegment, Term } from '@jyutsing/contracts/corrector';

/** Duration of a syllable in the segments of tests. */
const SYLLABLE_MS = 200;

/**
 * Parses recognized syllables for tests: separated by spaces, alternatives with a bar between, most
 * probable first.
 */
export function recognizedSyllables(jyutping: string): CorrectionSegment['syllables'] {
  return jyutping
    .split(' ')
    .filter((written) => written !== '')
    .map((written, index) => {
      const readings = written.split('|');
      // Simulate a recognizer that is fairly sure of the first alternative and halves the remaining
      // probability in turn.
      const alternatives = readings.map((reading, rank) => ({
        reading,
        probability: rank === 0 ? 1 - 0.2 * (readings.length > 1 ? 1 : 0) : 0.2 / 2 ** rank,
      }));
      return { startMs: index * SYLLABLE_MS, endMs: (index + 1) * SYLLABLE_MS, alternatives };
    });
}

/**
 * Makes a segment of the built-in recognizer for tests: each Chinese character is a word with a
 * reading, its time and this confidence.
 */
export function ownSegment(text: string, jyutping: string, confidence = 0.7): CorrectionSegment {
  const syllables = recognizedSyllables(jyutping);
  const words = [...text].map((character, index) => ({
    text: character,
    reading: syllables[index]?.alternatives[0]?.reading ?? 'm4',
    startMs: index * SYLLABLE_MS,
    endMs: (index + 1) * SYLLABLE_MS,
    confidence,
  }));
  return { segment: { ...foreign(text, syllables.length), words, confidence }, syllables };
}

/** Makes a segment of a recognizer that reports text only. */
export function foreignSegment(text: string, jyutping: string): CorrectionSegment {
  const syllables = recognizedSyllables(jyutping);
  return { segment: foreign(text, syllables.length), syllables };
}

function foreign(text: string, syllables: number): CorrectionSegment['segment'] {
  return { text, startMs: 0, endMs: syllables * SYLLABLE_MS, words: [], speaker: null, confidence: null };
}

/** Makes a term of weight 1 with one reading. */
export function term(text: string, jyutping: string, weight = 1): Term {
  return { text, readings: [jyutping.split(' ')], weight };
}
