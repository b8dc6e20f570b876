import { createSpokenJyutping } from '@jyutsing/text/readings/spoken-jyutping';
import { readSentences } from '../../training/traditional-words/read-sentences.ts';

/** Sentences that are compared, from those that the list of Traditional words has not seen. */
const SENTENCES = 3_000;
/** Shorter ones have no context. */
const MIN_CHARACTERS = 4;

/** A way to write the same sentences with other characters. */
export type Conversion = { name: string; convert(text: string): string };

/**
 * How the readings of converted sentences differ from those of the sentences as they were written.
 */
export type ReadingFigures = {
  conversion: string;
  /** Sentences that the conversion changes. */
  sentences: number;
  differentSentences: number;
  syllables: number;
  /** Every syllable that differs, with its neighbors: `呢只係少少: 只 zi2, not zek3`. */
  differences: string[];
};

/**
 * Reads held-out sentences as they were written and converted. `folder` holds `commonvoice-yue.txt`
 * and `hkcancor.tsv`.
 */
export function readingFigures(folder: string, conversions: readonly Conversion[]): ReadingFigures[] {
  const read = createSpokenJyutping();
  const texts = heldOut(folder);
  return conversions.map(({ name, convert }) => {
    const figures: ReadingFigures = {
      conversion: name,
      sentences: 0,
      differentSentences: 0,
      syllables: 0,
      differences: [],
    };
    for (const text of texts) {
      const converted = convert(text);
      if (converted === text) continue;
      const expected = read(text);
      const differences = differencesOf(text, expected, read(converted));
      figures.sentences += 1;
      figures.syllables += expected.reduce((sum, { jyutping }) => sum + (jyutping?.split(' ').length ?? 0), 0);
      figures.differentSentences += differences.length > 0 ? 1 : 0;
      figures.differences.push(...differences);
    }
    return figures;
  });
}

type Reading = ReturnType<ReturnType<typeof createSpokenJyutping>>;

function differencesOf(text: string, expected: Reading, converted: Reading): string[] {
  return expected.flatMap(({ character, jyutping }, index) => {
    const other = converted[index]?.jyutping;
    if (jyutping === other) return [];
    const around = expected.slice(Math.max(0, index - 5), index + 6).map((part) => part.character);
    return `${around.join('') || text}: ${character} ${jyutping}, not ${other}`;
  });
}

function heldOut(folder: string): string[] {
  const texts = readSentences(folder)
    .filter(({ text, isHeldOut }) => isHeldOut && Array.from(text).length >= MIN_CHARACTERS)
    .map(({ text }) => text);
  const step = Math.max(1, texts.length / SENTENCES);
  const chosen = Array.from(
    { length: Math.min(SENTENCES, texts.length) },
    (_, index) => texts[Math.floor(index * step)]!,
  );
  return [...new Set(chosen)];
}
