import type { SpokenPhrase, SpokenWord } from '@jyutsing/contracts/spoken-text';
import { normalizeSyllable } from '@jyutsing/text/jyutping';
import { englishSyllables } from './english-syllables.ts';
import type { PlannedSyllable } from './durations.ts';
import type { SyllableVoice } from './open-voice.ts';
import type { SoundingUnit } from './unit.ts';

/** Loads the pronunciations of English words; a quarter of a second the first time. */
export type Pronounce = () => Promise<(word: string) => readonly (readonly string[])[]>;

/** The syllables of a phrase with their recordings. Words that cannot be spoken are left out. */
export async function planSyllables(
  { words }: SpokenPhrase,
  voice: SyllableVoice,
  pronounce: Pronounce,
): Promise<(PlannedSyllable & { sound: SoundingUnit; tune: SoundingUnit })[]> {
  const planned = [];
  for (const [word, spoken] of words.entries()) {
    const found = (await labelsOf(spoken, pronounce)).flatMap((label) => {
      const units = voice.find(label);
      return units === null ? [] : [{ label, ...units }];
    });
    planned.push(...found.map((each, place) => ({ ...each, place, length: found.length, word })));
  }
  return planned;
}

async function labelsOf({ language, reading, spokenForm }: SpokenWord, pronounce: Pronounce): Promise<string[]> {
  if (language === 'cantonese') return reading.flatMap((syllable) => normalizeSyllable(syllable) ?? []);
  if (language !== 'english') return [];
  if (reading.length > 0) return englishSyllables(reading);
  const say = await pronounce();
  return spokenForm.split(/\s+/).flatMap((part) => englishSyllables(say(part)[0] ?? []));
}
