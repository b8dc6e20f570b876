import type { SummaryFault, SummaryLanguage } from '@jyutsing/contracts/summarizer';
import { toHongKong, toSimplified, usualHongKongForms } from '#text/script.ts';
import { countScriptCharacters } from './check-script.ts';
import { count, LATIN_WORD, wordsOf, wordsOfOthers } from './function-words.ts';

/** Names, brands and words of another language within a summary; more of it is another language. */
const LEAST_OWN_SHARE = 0.5;
/** With every Latin word counted, capitalised ones (names, brands) as well. */
const LEAST_OWN_SHARE_WITH_NAMES = 0.2;
/** Two characters of Chinese, Japanese or Korean say about what a word does. */
const CHARACTERS_PER_WORD = { eastAsian: 2, other: 5 };
/** Quoted foreign words are part of a summary; what is longer is no longer a quotation. */
const QUOTATION =
  /"[^"\n]{1,80}"|“[^“”\n]{1,80}”|「[^「」\n]{1,80}」|『[^『』\n]{1,80}』|《[^《》\n]{1,80}》|‘[^‘’\n]{1,80}’/gu;

/** Japanese prose is a third to a half of hiragana; a Chinese text has the name of a shop. */
const LEAST_HIRAGANA_SHARE = 0.12;
const MOST_KANA_SHARE_IN_CHINESE = 0.08;
/** From so many characters on, Chinese has function characters, and names are no longer most of a text. */
const CHINESE_PROSE_CHARACTERS = 24;
const CHINESE_FUNCTION =
  /[的是了在和有不人我你佢嘅係喺同這这一個个為为以及與与或就都會会要可從从也到說说於于將将被讓让]/u;

/** Wrong characters that names may bring, and the share of all that is no longer names. */
const MOST_WRONG_CHARACTERS = 2;
const MOST_WRONG_SHARE = 0.03;

/** Closed classes of English: about two in five words of its prose. */
const ENGLISH_WORDS = wordsOf(
  'the a an and or but nor of to in on at by for with from into about as than after before during between through over under against is are was were be been being has have had do does did can could will would should may might must it its he she they them their his her we our you your who which that this these those what when where how why not no so if because while such more most also then there each other some any all both many few',
);
const LEAST_ENGLISH_SHARE = 0.15;
const OTHER_WORDS = wordsOfOthers(ENGLISH_WORDS, 'du von');

/** Only written-down Cantonese has these. */
const CANTONESE_WORDS =
  /[嘅咗喺唔佢哋啲嘢冇嗰嚟畀俾噉咁㗎乜咩攞搵睇諗啱嘞喇]|(?<![關有體聯干間])係(?!數|統)|呢(?=[個啲條種樣位部度次集件間段隻類批])/gu;
/** What Mandarin has in their place; not in words that both write. */
const MANDARIN_WORDS =
  /(?<![目的端標中])的(?!士|確|士高|起)|(?<![於但還只可總凡若要算或更也不])是(?!否|非|次|日|但|項)|[他她它這没沒們嗎]|(?<![為除])了(?!解|結|斷|事|不起)|(?<![現存實所好內自正潛旨])在(?!於|場|職|線|意|乎|校|野|位|家|地|生)|什麼|怎麼|[那哪][個些裡裏樣麼]|給/gu;
/** One word of Mandarin may be a quotation. */
const LEAST_MANDARIN_WORDS = 2;

/**
 * What is wrong with a summary that should be in this language, the worst first; null for nothing. 'language': most of it is not in
 * this language (names, numbers and quotations in another do not count). 'script': Simplified characters in `cantonese`, Traditional ones in
 * `mandarin`, beyond what names bring. 'wording': `cantonese` in the words of Mandarin (的是他這沒了在) with few of its own (嘅係佢呢冇咗喺);
 * written Chinese that has neither is fine.
 */
export function faultOf(summary: string, language: SummaryLanguage): SummaryFault | null {
  if (!isIn(summary, language)) return 'language';
  if (language !== 'cantonese' && language !== 'mandarin') return null;
  const { han, simplified, traditional } = countScriptCharacters(summary);
  const wrong = language === 'cantonese' ? simplified : traditional;
  if (wrong > MOST_WRONG_CHARACTERS && wrong > MOST_WRONG_SHARE * han) return 'script';
  return language === 'cantonese' && isInMandarinWords(summary) ? 'wording' : null;
}

/**
 * The summary in the script of its language: Chinese in the Traditional forms of Hong Kong (`cantonese`) or in Simplified characters
 * (`mandarin`). Text in the right script, and other languages, stay as they are.
 */
export function repairScript(summary: string, language: SummaryLanguage): string {
  if (language === 'mandarin') return toSimplified(summary);
  if (language !== 'cantonese') return summary;
  // Converted for nothing, Traditional text would be taken for Simplified where characters serve in both: 茶几, 余.
  return countScriptCharacters(summary).simplified > 0 ? toHongKong(summary) : usualHongKongForms(summary);
}

function isIn(summary: string, language: SummaryLanguage): boolean {
  const unquoted = summary.replace(QUOTATION, ' ');
  const text = /\p{L}/u.test(unquoted) ? unquoted : summary;
  const latin = text.match(LATIN_WORD) ?? [];
  const hiragana = count(text, /\p{Script=Hiragana}/gu);
  const kana = hiragana + count(text, /\p{Script=Katakana}/gu);
  const han = count(text, /\p{Script=Han}/gu);
  const hangul = count(text, /\p{Script=Hangul}/gu);
  const letters = count(text, /\p{L}/gu);
  const other = (letters - count(text, /\p{Script=Latin}/gu) - kana - han - hangul) / CHARACTERS_PER_WORD.other;
  const eastAsian = (kana + han + hangul) / CHARACTERS_PER_WORD.eastAsian;
  if (language === 'english')
    return latin.length * (1 - LEAST_OWN_SHARE) > eastAsian + Math.max(0, other) && isEnglish(latin);
  const own =
    { korean: hangul, japanese: kana + han, cantonese: han, mandarin: han }[language] / CHARACTERS_PER_WORD.eastAsian;
  const foreign = eastAsian - own + Math.max(0, other);
  const words = latin.filter((word) => /^\p{Ll}/u.test(word)).length;
  if (own < LEAST_OWN_SHARE * (own + foreign + words)) return false;
  if (own === 0 || own < LEAST_OWN_SHARE_WITH_NAMES * (own + foreign + latin.length)) return false;
  if (language === 'japanese') return hiragana >= LEAST_HIRAGANA_SHARE * (kana + han);
  if (language === 'korean') return true;
  return kana <= MOST_KANA_SHARE_IN_CHINESE * (kana + han) && (han < CHINESE_PROSE_CHARACTERS || isChinese(text, han));
}

/** Japanese can be written without kana, as headlines are: with characters that no Chinese script has. */
function isChinese(text: string, han: number): boolean {
  return CHINESE_FUNCTION.test(text) && countScriptCharacters(text).japanese <= MOST_WRONG_SHARE * han;
}

function isEnglish(words: readonly string[]): boolean {
  const plain = words.map((word) => word.toLowerCase().replace('’', "'"));
  const english = plain.filter((word) => ENGLISH_WORDS.has(word)).length;
  const other = plain.filter((word) => OTHER_WORDS.has(word)).length;
  return english > other && english >= LEAST_ENGLISH_SHARE * words.length;
}

function isInMandarinWords(text: string): boolean {
  const mandarin = count(text, MANDARIN_WORDS);
  return mandarin >= LEAST_MANDARIN_WORDS && mandarin > 2 * count(text, CANTONESE_WORDS);
}
