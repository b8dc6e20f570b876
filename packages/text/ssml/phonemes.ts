import type { Language } from '@jyutsing/contracts/transcript';
import { readPinyin } from '#text/pronunciation/parse-romanized.ts';
import { normalizeSyllable } from '#text/syllables/jyutping.ts';
import { readCantoneseIpa, type ReadPhonemes } from './ipa-cantonese.ts';
import { readArpabet, readEnglishIpa } from './ipa-english.ts';
import { sampaToIpa } from './x-sampa.ts';

/** An alphabet of `phoneme`: its language, or null where that is the language of the text. */
export type PhonemeAlphabet = { language: Language | null; read: (ph: string, language: Language) => ReadPhonemes };

export const ACCEPTED_ALPHABETS = 'jyutping, pinyin, arpabet, ipa or for English x-sampa';

/** A tone that stands apart from its syllable, as in Azure's phone sets: nei 5 hou 2. */
const TONE_APART = /(?<=\p{L})\s+(?=[1-6](?!\p{L}|\d))/gu;

const JYUTPING: PhonemeAlphabet = { language: 'cantonese', read: readJyutping };
const PINYIN: PhonemeAlphabet = { language: 'mandarin', read: readPinyinSyllables };
const ARPABET: PhonemeAlphabet = { language: 'english', read: readArpabet };
const IPA: PhonemeAlphabet = { language: null, read: readIpa };
const SAMPA: PhonemeAlphabet = { language: null, read: readSampa };
const BY_LANGUAGE: Readonly<Record<Language, PhonemeAlphabet>> = {
  cantonese: JYUTPING,
  mandarin: PINYIN,
  english: ARPABET,
};

/**
 * The alphabet with that name, also with the prefix of a vendor (x-jyutping, x-amazon-jyutping);
 * `sapi` is the one of the language. Null for an unknown name.
 */
export function alphabetNamed(name: string): PhonemeAlphabet | null {
  const bare = name
    .trim()
    .toLowerCase()
    .replace(/^x-(?:\w+-)?/, '');
  if (bare === 'jyutping') return JYUTPING;
  if (bare === 'pinyin') return PINYIN;
  if (bare === 'arpabet' || bare === 'cmu') return ARPABET;
  if (bare === 'ipa') return IPA;
  if (bare === 'sampa') return SAMPA;
  return bare === 'sapi' ? { language: null, read: (ph, language) => BY_LANGUAGE[language].read(ph, language) } : null;
}

function readIpa(ph: string, language: Language): ReadPhonemes {
  if (language === 'cantonese') return readCantoneseIpa(ph);
  if (language === 'english') return readEnglishIpa(ph);
  return { fault: 'is in IPA, which is read for Cantonese and English; write pinyin' };
}

/** The digits of X-SAMPA are vowels, which leaves none for the tones of Cantonese. */
function readSampa(ph: string, language: Language): ReadPhonemes {
  if (language === 'english') return readEnglishIpa(sampaToIpa(ph));
  const better = language === 'cantonese' ? 'jyutping' : 'pinyin';
  return { fault: `is in X-SAMPA, which is read for English; put it in <lang xml:lang="en">, or write ${better}` };
}

function readJyutping(ph: string): ReadPhonemes {
  const reading: string[] = [];
  for (const word of ph.replaceAll(TONE_APART, '').split(/[\s\p{P}]+/u)) {
    if (word === '') continue;
    for (const syllable of word.match(/\D+\d*|\d+/gu) ?? []) {
      const read = normalizeSyllable(syllable);
      if (read === null) return { fault: `"${syllable}" is no syllable of jyutping with its tone, such as "nei5"` };
      reading.push(read);
    }
  }
  return reading.length === 0 ? { fault: 'has no syllables' } : { reading };
}

function readPinyinSyllables(ph: string): ReadPhonemes {
  const syllables = readPinyin(ph.replaceAll(TONE_APART, ''));
  if (syllables === null) return { fault: `"${ph}" is no pinyin with tones, such as "ni3 hao3"` };
  return { reading: syllables.map(({ text }) => text) };
}
