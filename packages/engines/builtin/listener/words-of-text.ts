import { mean } from '@jyutsing/numeric/statistics';
import type { Word } from '@jyutsing/contracts/transcript';
import { symbolCount } from '#engines/builtin/decoder/labels.ts';
import { alignPhones, type AlignedPhone } from '#engines/builtin/decoder/phone-alignment.ts';
import { frameTimes } from '#engines/builtin/decoder/timing.ts';
import type { AcousticLabels, Posteriors } from '#engines/builtin/decoder/types.ts';
import type { ReadCharacter } from './decode-text.ts';
import type { Reading } from './spelling.ts';

/** A character of Chinese or a word of another script, or a mark of punctuation. */
type Unit = { characters: ReadCharacter[]; isMark: boolean };

const HAN = /\p{Script=Han}/u;
const SPACE = /\s/u;
/** Inside a word: rock'n'roll, twenty-one. */
const WORD_CHARACTER = /[\p{L}\p{N}'’-]/u;

/**
 * Gives the words of a text their times: the CTC head aligns the columns by which it heard them. A
 * word that it did not hear lies between its neighbors; a mark has no duration. The break before a
 * word may be heard anywhere in a pause, so a word begins with its first letter. Times are in
 * milliseconds from the first frame.
 */
export function wordsOfText(text: readonly ReadCharacter[], posteriors: Posteriors, labels: AcousticLabels): Word[] {
  const units = unitsOf(text);
  const columns = units.flatMap(columnsOf);
  const aligned = alignPhones(posteriors, symbolCount(labels), columns, 0, posteriors.frameCount);
  let at = 0;
  let reached = 0;
  const frames = units.map((unit) => {
    const count = columnsOf(unit).length;
    const found = aligned.slice(at, at + count);
    at += count;
    const startFrame = found[unit.characters[0]?.reading?.breaks ?? 0]?.startFrame ?? reached;
    reached = found.at(-1)?.endFrame ?? reached;
    return { startFrame, endFrame: reached, rime: found.at(-1) };
  });
  const spoken = units.flatMap(({ isMark }, index) => (isMark ? [] : [index]));
  const times = frameTimes(
    spoken.map((index) => frames[index] ?? { startFrame: 0, endFrame: 0 }),
    labels.frameMs,
    posteriors.frameCount,
  );
  let endMs = 0;
  let next = 0;
  return units.map(({ characters, isMark }, index) => {
    const time = isMark ? { startMs: endMs, endMs } : (times[next++] ?? { startMs: endMs, endMs });
    endMs = time.endMs;
    return {
      text: characters.map((character) => character.text).join(''),
      reading: toned(characters[0]?.reading ?? null, frames[index]?.rime, posteriors, labels),
      ...time,
      confidence: mean(characters.map(({ probability }) => probability)),
    };
  });
}

/** The written syllable of a reading whose tone is the likeliest where its rime was heard. */
function toned(
  reading: Reading | null,
  rime: AlignedPhone | undefined,
  { toneLogp }: Posteriors,
  { tones }: AcousticLabels,
): string | null {
  const logpOf = (syllable: string): number => {
    let total = 0;
    for (let frame = rime?.startFrame ?? 0; frame < (rime?.endFrame ?? 0); frame++) {
      total += toneLogp[frame * tones + Number(syllable.at(-1)) - 1] ?? 0;
    }
    return total;
  };
  return [...(reading?.syllables ?? [])].sort((a, b) => logpOf(b) - logpOf(a))[0] ?? null;
}

const columnsOf = ({ characters }: Unit): number[] => characters.flatMap(({ reading }) => reading?.columns ?? []);

/** Cuts a text into units; spaces only separate. */
function unitsOf(text: readonly ReadCharacter[]): Unit[] {
  const units: Unit[] = [];
  let isOpen = false;
  for (const character of text) {
    const isWord = WORD_CHARACTER.test(character.text) && !HAN.test(character.text);
    if (SPACE.test(character.text)) isOpen = false;
    else if (isWord && isOpen) units.at(-1)?.characters.push(character);
    else {
      units.push({ characters: [character], isMark: !isWord && !HAN.test(character.text) });
      isOpen = isWord;
    }
  }
  return units;
}
