import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import type { Language } from '@jyutsing/contracts/transcript';
import type { AddReadings } from '@jyutsing/text/normalization/add-readings';
import { normalize } from '@jyutsing/text/normalization/normalize';
import { splitSentences } from '@jyutsing/text/normalization/split-text';

/**
 * A syllable or a Latin word as it is spoken, with the place in its text that it stands for, which
 * the units of a number share.
 */
export type SpokenUnit = {
  /** The character, or the word in lower case. */
  text: string;
  /** Jyutping or pinyin with its tone; null for a Latin word, and where no dictionary reads it. */
  syllable: string | null;
  /** UTF-16 offsets. */
  from: number;
  to: number;
};

export type UnitSentence = { from: number; to: number; units: SpokenUnit[] };

const HAN = /^\p{Script=Han}/u;

/**
 * The spoken units of a text by sentence and line; sentences without any are left out. Serves other
 * work in between.
 */
export async function spokenUnits(text: string, language: Language, addReadings: AddReadings): Promise<UnitSentence[]> {
  const sentences: UnitSentence[] = [];
  let from = 0;
  for (const line of text.split('\n')) {
    for (const piece of splitSentences(line, language)) {
      const at = text.indexOf(piece.text, from);
      if (at >= 0) from = at + piece.text.length;
      const spoken = normalize(piece, language);
      if (spoken === null || at < 0) continue;
      const words = addReadings(spoken).phrases.flatMap((phrase) => phrase.words);
      const trimmed = piece.text.trim();
      const start = at + piece.text.indexOf(trimmed);
      sentences.push({ from: start, to: start + trimmed.length, units: unitsOf(words, text, at) });
      await yieldToEventLoop();
    }
  }
  return sentences.filter(({ units }) => units.length > 0);
}

/** Whether a text has anything that `spokenUnits` finds, which is the same in all languages. */
export async function isSpeakable(text: string): Promise<boolean> {
  for (const line of text.split('\n')) {
    // Without readings, which need dictionaries and add no unit.
    if ((await spokenUnits(line, 'english', (spoken) => spoken)).length > 0) return true;
  }
  return false;
}

function unitsOf(words: readonly SpokenWord[], text: string, start: number): SpokenUnit[] {
  let from = start;
  return words.flatMap(({ written, spokenForm, reading }) => {
    const at = text.indexOf(written, from);
    if (at < 0) return [];
    from = at + written.length;
    const parts = spokenForm.match(/\p{Script=Han}|[\p{L}\p{N}'’]+/gu) ?? [];
    const places = placeParts(parts, written);
    return parts.map((part, index) => ({
      text: part.toLowerCase(),
      syllable: HAN.test(part) && reading.length === parts.length ? (reading[index] ?? null) : null,
      from: at + places[index]!.from,
      to: at + places[index]!.to,
    }));
  });
}

/**
 * Places the spoken parts of a word in what is written: those at both ends that are written as they
 * are spoken for themselves, the rest (the digits of 2026年) together.
 */
function placeParts(parts: readonly string[], written: string): { from: number; to: number }[] {
  let [from, to] = [0, written.length];
  let [first, last] = [0, parts.length];
  const places = parts.map(() => ({ from, to }));
  for (; first < last && written.startsWith(parts[first]!, from); first += 1) {
    places[first] = { from, to: from + parts[first]!.length };
    from += parts[first]!.length;
  }
  for (; last > first && to > from && written.endsWith(parts[last - 1]!, to); last -= 1) {
    places[last - 1] = { from: to - parts[last - 1]!.length, to };
    to -= parts[last - 1]!.length;
  }
  for (let index = first; index < last; index += 1) places[index] = { from, to };
  return places;
}
