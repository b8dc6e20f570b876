import { AppError } from '@jyutsing/contracts/errors';
import { isLikeSyllables, romanizedRuns, type Romanization } from './mixed-text.ts';
import { readJyutping, readPinyin } from './parse-romanized.ts';

const HAN = /\p{Script=Han}/u;
const BETWEEN = /[\s\p{P}\p{Script=Han}]+/u;
const LATIN = /\p{Script=Latin}/u;
/** Letters with one digit after them: `hou9`; a syllable has at most six. */
const SYLLABLES = /^(?:[a-zü]{2,7}\d)+$/iu;
const MAX_LETTERS = 7;
const VOWEL = /[aeiouü]/iu;
const TONES = ['1', '2', '3', '4', '5', '6'];
const ADVICE = {
  cantonese: { name: 'jyutping', tone: /[1-6]$/u, tones: '1 to 6', example: '"nei5 hou2"' },
  mandarin: { name: 'pinyin', tone: /[1-5]$/u, tones: '1 to 5', example: '"ni3 hao3" or "nǐ hǎo"' },
};

/**
 * The romanization of a language, and a test whether a dictionary of English has a lower-case word.
 */
type CheckedRomanization = Romanization & {
  language: 'cantonese' | 'mandarin';
  openIsKnown: () => Promise<(word: string) => boolean>;
};

/**
 * Throws `text_not_readable` for a syllable that is clearly mistyped, and would be read as a word
 * and a number. Among romanized syllables that is any word of letters and one digit that is no
 * English word; elsewhere one that differs from a syllable by its tone or a doubled letter (`nei7`,
 * `lekk1`), because names with a number look alike (iPhone15, web3). In a text of jyutping alone, a
 * syllable without a tone is one too.
 */
export async function refuseMistyped(text: string, romanization: CheckedRomanization): Promise<void> {
  const words = text
    .normalize('NFKC')
    .split(BETWEEN)
    .filter((word) => LATIN.test(word));
  if (!words.some(isShaped)) return;
  const isBase = (letters: string) => TONES.some((tone) => isOwn(letters + tone, romanization));
  const isToneless = (word: string) =>
    word.length <= MAX_LETTERS && isLikeSyllables(word) && isBase(word.toLowerCase());
  const isRomanized =
    !HAN.test(text) &&
    words.every((word) => isShaped(word) || isToneless(word)) &&
    words.some((word) => syllablesOf(word).some((part) => isBase(lettersOf(part))));
  const isAmongSyllables = isRomanized || romanizedRuns(text, romanization).length > 0;
  const isMistyped = async (part: string) => {
    // A syllable of the other language is left to `refuseRomanization`.
    if (readJyutping(part) !== null || readPinyin(part) !== null) return false;
    const letters = lettersOf(part);
    const isNear = isBase(letters) || isBase(letters.replace(/(.)\1/u, '$1'));
    if (isAmongSyllables && (isNear || isRomanizable(letters))) return true;
    const isUnlikeNames = isAmongSyllables ? VOWEL.test(letters) : isNear;
    return isUnlikeNames && !(await romanization.openIsKnown())(letters);
  };
  for (const word of words) {
    if (isRomanized && !isShaped(word) && romanization.language === 'cantonese')
      throw mistyped(word, text, romanization.language);
    for (const part of syllablesOf(word)) if (await isMistyped(part)) throw mistyped(part, text, romanization.language);
  }
}

const isOwn = (syllable: string, { parse, isInUse }: CheckedRomanization) =>
  parse(syllable) !== null && isInUse(syllable);
/** Whether either language has the letters as a syllable. */
const isRomanizable = (letters: string) => readJyutping(`${letters}1`) !== null || readPinyin(`${letters}1`) !== null;
const isShaped = (word: string) => SYLLABLES.test(word) && isLikeSyllables(word);
const syllablesOf = (word: string): readonly string[] => (isShaped(word) ? (word.match(/\D+\d/gu) ?? []) : []);
const lettersOf = (part: string) => part.slice(0, -1).toLowerCase();

function mistyped(word: string, text: string, language: CheckedRomanization['language']): AppError {
  const { name, tone, tones, example } = ADVICE[language];
  const fault =
    /\d$/u.test(word) && tone.test(word) ? `is no syllable of ${name}` : `has no tone, ${tones}, at its end`;
  const isPinyin = language === 'cantonese' && readPinyin(text) !== null;
  const choice = isPinyin ? ' If it is pinyin, send language=mandarin.' : '';
  return new AppError('text_not_readable', `"${word}" ${fault}; write ${name} as in ${example}.${choice}`);
}
