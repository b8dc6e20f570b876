import { AppError } from '@jyutsing/contracts/errors';
import type { SpokenPhrase, SpokenWord } from '@jyutsing/contracts/spoken-text';
import type { PlannedSyllable } from './durations.ts';
import type { FoundUnits, SyllableVoice } from './open-voice.ts';
import type { Sounds } from './sounds.ts';

/** Loads the pronunciations of English words, which takes a quarter of a second the first time. */
export type Pronounce = () => Promise<(word: string) => readonly (readonly string[])[]>;

type Sounding = PlannedSyllable & FoundUnits;

/** Number of syllables of the longest recorded words. */
const MAX_RECORDED = 4;

/**
 * Returns the syllables of a phrase with their recordings: of whole words where they were recorded,
 * else of each syllable. Throws `text_not_readable` for a word without a sound.
 */
export async function planSyllables(
  { words }: SpokenPhrase,
  voice: SyllableVoice,
  pronounce: Pronounce,
): Promise<Sounding[]> {
  const spoken = await Promise.all(words.map((word) => labelsOf(word, voice, pronounce)));
  const placed = spoken.flatMap((labels, word) =>
    labels.map((label, place, { length }) => {
      const isEnglish = words[word]!.language === 'english';
      return { label, place, length, word, isEnglish };
    }),
  );
  const planned: Sounding[] = [];
  while (planned.length < placed.length) {
    const at = planned.length;
    const { word, isEnglish } = placed[at]!;
    const wordSyllables = placed.slice(at, at + MAX_RECORDED).filter((syllable) => syllable.word === word);
    const recordedWord = isEnglish
      ? []
      : longestWord(
          wordSyllables.map(({ label }) => label),
          voice,
        );
    if (recordedWord.length === 0)
      planned.push({ ...placed[at]!, ...single(placed, at, voice), followsOn: false, isFollowed: false });
    for (const [i, units] of recordedWord.entries())
      planned.push({
        ...wordSyllables[i]!,
        ...units,
        contour: null,
        followsOn: i > 0,
        isFollowed: i < recordedWord.length - 1,
      });
  }
  return planned;
}

/** Returns the longest recorded word with which the syllables begin; empty when there is none. */
function longestWord(labels: readonly string[], voice: SyllableVoice): readonly FoundUnits[] {
  for (let count = labels.length; count > 1; count -= 1) {
    const units = voice.findWord(labels.slice(0, count));
    if (units !== null) return units;
  }
  return [];
}

/** Returns the recording of a separate syllable, with the contour that its neighbours require. */
function single(placed: readonly { label: string; isEnglish: boolean }[], at: number, voice: SyllableVoice) {
  const [before = null, after = null] = [placed[at - 1]?.label, placed[at + 1]?.label];
  const { label, isEnglish } = placed[at]!;
  const { sounds } = voice;
  const partsOf = (neighborLabel: string | null) => (neighborLabel === null ? null : sounds.partsOf(neighborLabel));
  return {
    ...voice.find(label, isEnglish),
    contour: sounds.contour(sounds.partsOf(label), partsOf(before), partsOf(after)),
  };
}

/**
 * Returns the syllables of a word; signs without a letter have none. Throws `text_not_readable` if
 * another word has none in this voice.
 */
async function labelsOf(spoken: SpokenWord, { sounds }: SyllableVoice, pronounce: Pronounce): Promise<string[]> {
  const { language, reading, spokenForm } = spoken;
  if (!/[\p{L}\p{N}]/u.test(spokenForm)) return [];
  const labels =
    language === 'english'
      ? await englishLabels(spoken, sounds, pronounce)
      : language === sounds.language
        ? reading.map((syllable) => sounds.normalize(syllable))
        : [];
  const sounding = labels.filter((label) => label !== null);
  if (sounding.length === 0 || sounding.length < labels.length)
    throw new AppError(
      'text_not_readable',
      `The voice has no sound for "${spokenForm}": leave it out, or write how it is said.`,
    );
  return sounding;
}

/** Returns the syllables of an English word: of its phones, or of the names of its letters. */
export async function englishLabels({ reading, spokenForm }: SpokenWord, sounds: Sounds, pronounce: Pronounce) {
  if (reading.length > 0) return sounds.englishSyllables(reading, spokenForm);
  const say = await pronounce();
  return spokenForm.split(/[\s-]+/).flatMap((part) => {
    const name = /^[A-Zb-z]$/.test(part) ? sounds.letterSyllables(part.toUpperCase()) : null;
    return name ?? sounds.englishSyllables(say(part)[0] ?? [], part);
  });
}
