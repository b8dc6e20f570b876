import { AppError } from '#contracts/errors.ts';
import type { PronunciationTarget } from '#contracts/pronunciation.ts';
import type { Language } from '#contracts/transcript.ts';
import { textToJyutping } from '#language/text-to-jyutping.ts';

/**
 * What a text asks its speaker to say: syllables with every accepted reading, or words with every accepted pronunciation. Numbers,
 * dates and letters are written out as `language/speaking` does. Throws `text_not_readable` when nothing of it is in that language.
 */
export async function readTarget(text: string, language: Language): Promise<PronunciationTarget> {
  if (language !== 'cantonese') throw new AppError('text_not_readable');
  const units = textToJyutping(text)
    .filter(({ readings }) => readings.length > 0)
    .map(({ char, readings }) => ({ kind: 'syllable' as const, text: char, readings, afterPause: false }));
  if (units.length === 0) throw new AppError('text_not_readable');
  return { language, units };
}
