import type { SummaryLanguage } from '@jyutsing/contracts/summarizer';
import { count, LATIN_WORD, wordsOf, foreignFunctionWords } from './function-words.ts';

/**
 * Size of the samples, which come from several places: talks may start with a greeting in another
 * language.
 */
const SAMPLE_CHARACTERS = 12_000;
const SAMPLES = 4;
/** Japanese sentences contain kana; Chinese texts only in names. */
const MIN_KANA_SHARE = 0.1;
/** About half of English speech is function words; other languages share few of them. */
const MIN_ENGLISH_SHARE = 0.22;
/** Number of words below which a text may consist mostly of names. */
const FEW_WORDS = 30;
const MIN_ENGLISH_SHARE_OF_FEW = 0.1;

const ENGLISH_WORDS = wordsOf(
  "the a and of to in is it that you for on with this was are be have not but they we he she i it's what so there can if just your my or from about like do don't that's i'm would when one out up all as at by his her their know because them then will how",
);
const OTHER_WORDS = foreignFunctionWords(ENGLISH_WORDS);

/** Characters of written Cantonese only, and their counterparts in Mandarin, in both scripts. */
const CANTONESE_CHARACTERS = /[嘅咗喺唔佢哋啲嘢冇嗰嚟畀俾噉咁㗎乜咩攞搵揾咪吖喇嘞]/gu;
const MANDARIN_CHARACTERS = /[的是他她它们們这這那吗嗎没沒给給么麼吧]/gu;

/**
 * Detects the language of a transcript; null for other languages and texts without words. By script
 * first (kana: Japanese; Hangul: Korean; Han: Chinese). Chinese by characters that only Cantonese
 * or only Mandarin has. Latin script is English when English function words are frequent and those
 * of other languages are not.
 */
export function detectTranscriptLanguage(text: string): SummaryLanguage | null {
  const sample = sampleOf(text);
  const hangul = count(sample, /\p{Script=Hangul}/gu);
  const kana = count(sample, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const han = count(sample, /\p{Script=Han}/gu);
  const latinWords = sample.toLowerCase().match(LATIN_WORD) ?? [];
  const otherLetters = count(sample, /\p{L}/gu) - hangul - kana - han - count(sample, /\p{Script=Latin}/gu);
  const eastAsian = hangul + kana + han;
  // About two characters of Chinese or Korean correspond to a Latin word.
  if (eastAsian / 2 >= latinWords.length && eastAsian > otherLetters) {
    if (eastAsian === 0) return null;
    if (hangul > kana + han) return 'korean';
    if (kana > MIN_KANA_SHARE * (kana + han)) return 'japanese';
    return isCantonese(sample) ? 'cantonese' : 'mandarin';
  }
  return otherLetters / 5 < latinWords.length && isEnglish(latinWords) ? 'english' : null;
}

/**
 * Languages of extractive summaries, given that of the transcript. Only Chinese gives two, by
 * script (Traditional of Hong Kong for `cantonese`, Simplified for `mandarin`).
 */
export function summarizableLanguages(transcriptLanguage: SummaryLanguage | null): readonly SummaryLanguage[] {
  if (transcriptLanguage === null) return [];
  if (transcriptLanguage === 'cantonese' || transcriptLanguage === 'mandarin') return ['cantonese', 'mandarin'];
  return [transcriptLanguage];
}

function isCantonese(text: string): boolean {
  const cantonese = count(text, CANTONESE_CHARACTERS);
  return cantonese > 0 && cantonese * 2 >= count(text, MANDARIN_CHARACTERS);
}

function isEnglish(words: readonly string[]): boolean {
  const english = words.filter((word) => ENGLISH_WORDS.has(word.replace('’', "'"))).length;
  const other = words.filter((word) => OTHER_WORDS.has(word.replace('’', "'"))).length;
  const minShare = words.length < FEW_WORDS ? MIN_ENGLISH_SHARE_OF_FEW : MIN_ENGLISH_SHARE;
  return english > other && english >= minShare * words.length;
}

function sampleOf(text: string): string {
  if (text.length <= SAMPLE_CHARACTERS * SAMPLES) return text;
  const step = Math.floor((text.length - SAMPLE_CHARACTERS) / (SAMPLES - 1));
  return Array.from({ length: SAMPLES }, (_, i) => text.slice(i * step, i * step + SAMPLE_CHARACTERS)).join(' ');
}
