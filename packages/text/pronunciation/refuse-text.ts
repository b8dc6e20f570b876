import { AppError } from '@jyutsing/contracts/errors';
import type { Language } from '@jyutsing/contracts/transcript';
import { normalizeSyllable } from '#text/syllables/jyutping.ts';
import { languageOfText } from '#text/language-of-text.ts';
import { romanizedRuns } from './mixed-text.ts';
import { isPinyinWithoutTones, readJyutping, readPinyin } from './parse-romanized.ts';

const NAMES: Readonly<Record<Language, string>> = { cantonese: 'Cantonese', mandarin: 'Mandarin', english: 'English' };
const READABLE = /[\p{Script=Han}\p{Script=Latin}\p{Co}]/u;
/** Whether each Latin word would be a syllable if it had a tone. */
const ROMANIZED: Readonly<Record<Language, (word: string) => boolean>> = {
  cantonese: (word) => normalizeSyllable(`${word}1`) !== null,
  mandarin: isPinyinWithoutTones,
  english: () => false,
};
const WITHOUT_TONES: Readonly<Record<Language, string>> = {
  cantonese: 'This text looks like jyutping without tones. Jyutping needs a tone on each syllable, as in "nei5 hou2".',
  mandarin: 'This text looks like pinyin without tones. Pinyin needs its tones, as in "ni3 hao3" or "nǐ hǎo".',
  english: '',
};

/** Creates `text_not_readable`, which says which text to send instead. */
export function refuseText(text: string, language: Language): AppError {
  const found = languageOfText(text);
  if (!READABLE.test(text) || found === language) {
    return new AppError(
      'text_not_readable',
      `The text has nothing to read in ${NAMES[language]}; send a text with words of it.`,
    );
  }
  const likely =
    language === 'english' && found !== 'english' ? `${NAMES.cantonese} or ${NAMES.mandarin}` : NAMES[found];
  const choice = likely === NAMES[found] ? `language=${found}` : 'language=cantonese or language=mandarin';
  const words = text.match(/\p{Script=Latin}+/gu) ?? [];
  if (words.length > 0 && words.every(ROMANIZED[language])) {
    return new AppError('text_not_readable', `${WITHOUT_TONES[language]} If it is ${likely}, send ${choice}.`);
  }
  return new AppError(
    'text_not_readable',
    `This text looks like ${likely}; send ${choice}, or a text in ${NAMES[language]}.`,
  );
}

/**
 * Throws `text_not_readable` for jyutping in a text of Mandarin, and for pinyin in one of
 * Cantonese. Syllables that both have are left to the language of the text, unless a neutral one is
 * the first of several, as in "nei5 hou2".
 */
export function refuseRomanization(text: string, language: 'cantonese' | 'mandarin'): void {
  const isCantonese = language === 'cantonese';
  const [readSame, other] = isCantonese ? [readJyutping, readPinyin] : [readPinyin, readJyutping];
  const isChinese = /\p{Script=Han}/u.test(text);
  const foreign = romanizedRuns(text, { parse: other, isInUse: () => !isChinese }).some(({ start, end }) => {
    const syllables = readSame(text.slice(start, end));
    return syllables === null || (!isCantonese && syllables.length > 1 && syllables[0]!.text.endsWith('5'));
  });
  if (!foreign) return;
  throw new AppError(
    'text_not_readable',
    isCantonese
      ? 'This text has pinyin, which is for Mandarin; send language=mandarin, or jyutping as in "nei5 hou2".'
      : 'This text has jyutping, which is for Cantonese; send language=cantonese, or pinyin as in "ni3 hao3".',
  );
}
