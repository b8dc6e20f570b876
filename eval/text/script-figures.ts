import { createSpokenJyutping } from '@jyutsing/text/readings/spoken-jyutping';
import { toSimplified } from '@jyutsing/text/script/convert-script';
import { characterForms } from '../../training/traditional-words/character-forms.ts';
import { readSentences } from '../../training/traditional-words/read-sentences.ts';

/** Sentences that are compared, from those that the list of Traditional words has not seen. */
const SENTENCES = 3_000;
/** Shorter ones have no context. */
const MIN_CHARACTERS = 4;

/** How the readings of sentences in Simplified characters differ from the Traditional ones. */
export type ScriptFigures = {
  conversion: 'characters' | 'words';
  sentences: number;
  differentSentences: number;
  syllables: number;
  /** Every syllable that differs, with its neighbors: `呢只係少少: 只 zi2, not zek3`. */
  differences: string[];
};

/**
 * Reads held-out sentences in Traditional and in Simplified characters, converted one by one and by
 * words. `folder` holds `commonvoice-yue.txt`, `hkcancor.tsv` and `rime-lexicon.tsv`.
 */
export function scriptFigures(folder: string): ScriptFigures[] {
  const texts = heldOut(folder);
  const forms = characterForms(folder);
  const read = createSpokenJyutping();
  const readings = new Map(texts.map((text) => [text, read(text)]));
  const conversions = {
    characters: (text: string) => Array.from(text, (char) => forms.simplified.get(char) ?? char).join(''),
    words: toSimplified,
  };
  return (['characters', 'words'] as const).map((conversion) => {
    const figures: ScriptFigures = {
      conversion,
      sentences: texts.length,
      differentSentences: 0,
      syllables: 0,
      differences: [],
    };
    for (const [text, expected] of readings) {
      const converted = read(conversions[conversion](text));
      const wrong = expected.filter(({ jyutping }, index) => jyutping !== converted[index]?.jyutping);
      figures.syllables += expected.reduce((sum, { jyutping }) => sum + (jyutping?.split(' ').length ?? 0), 0);
      if (wrong.length > 0) figures.differentSentences += 1;
      for (const part of wrong) {
        const at = expected.indexOf(part);
        const around = text.slice(Math.max(0, at - 5), at + 5);
        figures.differences.push(`${around}: ${part.character} ${part.jyutping}, not ${converted[at]?.jyutping}`);
      }
    }
    return figures;
  });
}

function heldOut(folder: string): string[] {
  const texts = readSentences(folder)
    .filter(({ text, isHeldOut }) => isHeldOut && Array.from(text).length >= MIN_CHARACTERS)
    .map(({ text }) => text);
  const step = Math.max(1, texts.length / SENTENCES);
  return [
    ...new Set(
      Array.from({ length: Math.min(SENTENCES, texts.length) }, (_, index) => texts[Math.floor(index * step)]!),
    ),
  ];
}
