import type { CorpusEntry } from '@jyutsing/contracts/corpus';
import { openJyutpingDictionary } from '#text/readings/jyutping-dictionary.ts';
import { withPrivateCharacters } from '#text/script/fold-characters.ts';
import { readingForm } from '#text/script/reading-form.ts';
import { parseSyllable, pronunciationVariants } from '#text/syllables/jyutping.ts';
import { READING_VARIANTS } from './reading-variants.ts';

/** Why a valid entry does little or nothing for transcripts. */
export type EntryNote =
  | { code: 'one_character' | 'too_long' | 'not_only_chinese' | 'no_reading' }
  | {
      /** The syllable of a character is none of its readings: only its tone differs, or more. */
      code: 'other_tone' | 'other_sound';
      character: string;
      jyutping: string;
      /** Up to 4 usual readings. */
      readings: string[];
    };

/** Length of the longest term that corrects transcripts, in characters. */
export const MAX_TERM_CHARACTERS = 24;
const MAX_SHOWN_READINGS = 4;
/** Number of readings of a character that are usual; later ones are rare. */
const USUAL_READINGS = 3;
const ONLY_HAN = /^\p{Script=Han}+$/u;

/**
 * Tells why a text cannot be a term that corrects transcripts; null when it can. Single characters
 * match too much, and Latin letters have no syllables.
 */
export function whyNoTerm(text: string): 'one_character' | 'too_long' | 'not_only_chinese' | null {
  if (!ONLY_HAN.test(text)) return 'not_only_chinese';
  const { length } = [...text];
  if (length < 2) return 'one_character';
  return length > MAX_TERM_CHARACTERS ? 'too_long' : null;
}

/**
 * Returns why an entry cannot help to correct transcripts, or would rarely be found because people
 * say it otherwise than its jyutping; null when it helps.
 */
export function noteOf({ text, jyutping }: Pick<CorpusEntry, 'text' | 'jyutping'>): EntryNote | null {
  const code = whyNoTerm(withPrivateCharacters(text));
  if (code !== null) return { code };
  const characters = [...withPrivateCharacters(text)];
  const expected = expectedReadings(text);
  const syllables = jyutping?.split(' ') ?? null;
  for (const [index, character] of characters.entries()) {
    const readings = expected[index] ?? [];
    const syllable = syllables?.[index];
    if (syllable === undefined && readings.length === 0) return { code: 'no_reading' };
    // A character that the dictionary lacks may be read in any way.
    if (syllable === undefined || readings.length === 0 || isSaid(syllable, readings)) continue;
    return {
      code: readings.some((reading) => withoutTone(reading) === withoutTone(syllable)) ? 'other_tone' : 'other_sound',
      character,
      jyutping: syllable,
      readings: readings.slice(0, MAX_SHOWN_READINGS),
    };
  }
  return null;
}

/** Says in English why an entry does not help. */
export function describeNote(note: EntryNote): string {
  switch (note.code) {
    case 'one_character':
      return 'A single character matches too much to correct transcripts; add a word that it belongs to.';
    case 'too_long':
      return 'It is too long to correct transcripts; add its parts.';
    case 'not_only_chinese':
      return 'Only words of Chinese characters alone correct transcripts; this one counts for speech.';
    case 'no_reading':
      return 'No reading of a character is known; give its jyutping.';
    case 'other_tone':
    case 'other_sound':
      return `${note.character} is read ${note.readings.join(' or ')}; as ${note.jyutping} it is rarely found in speech.`;
  }
}

/**
 * The readings that a text of Chinese characters may have, by character: those in words, and the
 * usual ones of the character alone, as in names. In a text that is a word of the dictionary, only
 * those that differ from its reading by their tone, because the tones of words vary.
 */
function expectedReadings(text: string): string[][] {
  const traditional = [...withPrivateCharacters(readingForm(text))];
  const written = [...withPrivateCharacters(text)];
  const dictionary = openJyutpingDictionary();
  const inWords = traditional.map(() => new Set<string>());
  for (const from of traditional.keys()) {
    const words = dictionary.wordsAt(traditional, from).filter(({ length }) => length > 1);
    for (const syllables of words.flatMap((word) => word.readings)) {
      for (const [offset, syllable] of syllables.entries()) inWords[from + offset]!.add(syllable);
    }
  }
  const isListed = dictionary.wordsAt(traditional, 0).some(({ length }) => length === traditional.length);
  return inWords.map((readings, index) => {
    const listed = [...readings];
    // 松 is a simplified character, of 鬆, and a traditional one.
    const forms = [...new Set([traditional[index]!, written[index]!])];
    const alone = forms.flatMap((form) => [
      ...dictionary.wordsAt([form], 0).flatMap((word) => word.readings.slice(0, USUAL_READINGS).flat()),
      ...(READING_VARIANTS.get(form) ?? []),
    ]);
    const possible = isListed
      ? alone.filter((one) => listed.some((other) => withoutTone(one) === withoutTone(other)))
      : alone;
    return [...new Set([...listed, ...possible])];
  });
}

const withoutTone = (syllable: string) => syllable.slice(0, -1);

/** Rimes of colloquial readings by those of literary ones, as in 平 ping4, peng4. */
const COLLOQUIAL_RIMES: Readonly<Record<string, string>> = { ing: 'eng', ik: 'ek', ang: 'aang', ak: 'aak' };

/** Whether the syllable is a reading, a sound change of one, or its changed or colloquial form. */
function isSaid(syllable: string, readings: readonly string[]): boolean {
  const typed = parseSyllable(syllable);
  const alike = new Set([syllable, ...pronunciationVariants(syllable)]);
  return readings.some((reading) => {
    if (alike.has(reading)) return true;
    const read = parseSyllable(reading);
    if (read === null || typed === null || read.onset !== typed.onset) return false;
    const isChangedTone = read.rime === typed.rime && (typed.tone === 1 || typed.tone === 2);
    return isChangedTone || (COLLOQUIAL_RIMES[read.rime] === typed.rime && read.tone === typed.tone);
  });
}
