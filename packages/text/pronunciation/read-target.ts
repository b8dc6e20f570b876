import type { PronunciationTarget, TargetOther, TargetSyllable } from '@jyutsing/contracts/pronunciation';
import type { Language } from '@jyutsing/contracts/transcript';
import { refuseMistyped } from './refuse-mistyped.ts';
import { refuseRomanization, refuseText } from './refuse-text.ts';
import { readMixed, romanizedRuns } from './mixed-text.ts';
import { foldCharacters } from '#text/script/fold-characters.ts';
import { readJyutping, readPinyin } from './parse-romanized.ts';
import { openAddReadings, splitClauses, unitsOfClauses } from './split-clauses.ts';

type ReadText = (text: string) => Promise<PronunciationTarget>;
type SyllableUnits = readonly (TargetSyllable | TargetOther)[];

/**
 * A text with characters or numbers is Chinese; letters alone are English, though some have
 * Cantonese names.
 */
const SPOKEN_IN_CHINESE = /[\p{Script=Han}\p{N}\p{Co}]/u;

type IsKnown = (word: string) => boolean;
let isKnownOpening: Promise<IsKnown> | null = null;
const openings = new Map<Language, Promise<ReadText>>();
const OPEN: Readonly<Record<Language, () => Promise<ReadText>>> = {
  cantonese: openCantonese,
  mandarin: openMandarin,
  english: openEnglish,
};

/**
 * The units that a speaker of the text has to pronounce: syllables with every accepted reading, or
 * words with every accepted pronunciation. Numbers, dates, letters and signs are normalized; emoji,
 * punctuation and markup are dropped; words of another language are `other`. Accepts Traditional
 * and Simplified characters. Toned jyutping is taken literally, toned pinyin as
 * `acceptedWrittenPinyin` says. Takes time in proportion to the text. Throws `text_not_readable` if
 * nothing of it is in that language.
 */
export async function readTarget(text: string, language: Language): Promise<PronunciationTarget> {
  const read = await opened(language);
  const target = await read(text);
  if (target.units.every(({ kind }) => kind === 'other')) throw refuseText(text, language);
  return target;
}

function opened(language: Language): Promise<ReadText> {
  let opening = openings.get(language);
  if (opening === undefined) {
    opening = OPEN[language]().catch((error: unknown) => {
      // A failure is not kept, so that the next request tries again.
      openings.delete(language);
      throw error;
    });
    openings.set(language, opening);
  }
  return opening;
}

async function openCantonese(): Promise<ReadText> {
  const [read, { createAcceptReadings, isInUse }, { cantoneseUnits }] = await Promise.all([
    openAddReadings(),
    import('./cantonese/accepted-readings.ts'),
    import('./cantonese/cantonese-units.ts'),
  ]);
  const accept = createAcceptReadings();
  const jyutping = { parse: readJyutping, isInUse };
  const readCharacters = async (text: string): Promise<SyllableUnits> => {
    const clauses = splitClauses(text, 'cantonese', read);
    return unitsOfClauses(clauses, (clause) => cantoneseUnits(clause, accept));
  };
  const unitsIn = async (text: string): Promise<SyllableUnits> => {
    const romanized = readJyutping(text);
    if (romanized !== null) return romanized;
    await refuseMistyped(text, { ...jyutping, language: 'cantonese', openIsKnown });
    refuseRomanization(text, 'cantonese');
    if (!SPOKEN_IN_CHINESE.test(foldCharacters(text))) return [];
    return withoutLettersAlone(await readMixed(text, romanizedRuns(text, jyutping), readCharacters));
  };
  return async (text) => ({ language: 'cantonese', units: await unitsIn(text) });
}

async function openMandarin(): Promise<ReadText> {
  const [read, { mandarinUnits, pinyinUnits }] = await Promise.all([
    openAddReadings(),
    import('./mandarin/mandarin-units.ts'),
  ]);
  const pinyin = { parse: readPinyin, isInUse: () => true };
  const readCharacters = async (text: string): Promise<SyllableUnits> =>
    unitsOfClauses(splitClauses(text, 'mandarin', read), (clause) => mandarinUnits(clause));
  const unitsIn = async (text: string): Promise<SyllableUnits> => {
    refuseRomanization(text, 'mandarin');
    const romanized = readPinyin(text);
    if (romanized === null) await refuseMistyped(text, { ...pinyin, language: 'mandarin', openIsKnown });
    return pinyinUnits(romanized ?? (await readMixed(text, romanizedRuns(text, pinyin), readCharacters)));
  };
  return async (text) => ({ language: 'mandarin', units: await unitsIn(text) });
}

async function openEnglish(): Promise<ReadText> {
  const [read, { openPronouncer }, { englishNumbers, englishUnits, withoutShouting }] = await Promise.all([
    openAddReadings(),
    import('./english/pronounce-word.ts'),
    import('./english/english-units.ts'),
  ]);
  const { pronounce, isKnown } = await openPronouncer();
  const unitsIn = (text: string) =>
    unitsOfClauses(splitClauses(withoutShouting(text, isKnown), 'english', read), (clause) =>
      englishUnits(clause, text, pronounce),
    );
  const numbers = englishNumbers(pronounce);
  return async (text) => {
    const units = unitsIn(text);
    const hasNumbers = units.some((unit) => numbers.some((kind) => Object.hasOwn(kind, unit.text.toLowerCase())));
    return { language: 'english', units, ...(hasNumbers && { numbers }) };
  };
}

/**
 * Opens the test whether an English dictionary has a word; the first text that may be mistyped
 * loads the dictionary.
 */
function openIsKnown(): Promise<IsKnown> {
  isKnownOpening ??= import('./english/pronounce-word.ts')
    .then(({ openPronouncer }) => openPronouncer())
    .then(({ isKnown }) => isKnown)
    .catch((error: unknown) => {
      isKnownOpening = null;
      throw error;
    });
  return isKnownOpening;
}

/**
 * Returns no units where all syllables are letters: a letter does not make a sentence of another
 * language Cantonese.
 */
function withoutLettersAlone(units: SyllableUnits): SyllableUnits {
  const hasCharacter = units.some(({ kind, text }) => kind === 'syllable' && !/^[A-Z]$/u.test(text));
  return hasCharacter ? units : [];
}
