import type { SummaryFault, SummaryLanguage } from '@jyutsing/contracts/summarizer';
import { toHongKong, toSimplified, usualHongKongForms } from '#text/script/convert-script.ts';
import { countScriptCharacters } from './check-script.ts';
import { count, LATIN_WORD, wordsOf, foreignFunctionWords } from './function-words.ts';

/** Minimum share in the language; names and foreign words may make up the rest. */
const MIN_OWN_SHARE = 0.5;
/** Minimum share in the language if capitalized Latin words (names, brands) count as foreign. */
const MIN_OWN_SHARE_WITH_NAMES = 0.2;
/** About two characters of Chinese, Japanese or Korean correspond to a word. */
const CHARACTERS_PER_WORD = { eastAsian: 2, other: 5 };
/** Short quotations in another language are ignored. */
const QUOTATION =
  /"[^"\n]{1,80}"|“[^“”\n]{1,80}”|「[^「」\n]{1,80}」|『[^『』\n]{1,80}』|《[^《》\n]{1,80}》|‘[^‘’\n]{1,80}’/gu;

/** Japanese prose has 30 to 50 % hiragana; Chinese texts may contain Japanese names. */
const MIN_HIRAGANA_SHARE = 0.12;
const MAX_KANA_SHARE_IN_CHINESE = 0.08;
/** From this length on, Chinese prose contains function characters. */
const CHINESE_PROSE_CHARACTERS = 24;
const CHINESE_FUNCTION =
  /[的是了在和有不人我你佢嘅係喺同這这一個个為为以及與与或就都會会要可從从也到說说於于將将被讓让]/u;

/** Number of characters of the other script that names may contain. */
const MAX_WRONG_CHARACTERS = 2;
const MAX_WRONG_SHARE = 0.03;

/** Closed word classes: about 40 % of the words of English prose. */
const ENGLISH_WORDS = wordsOf(
  'the a an and or but nor of to in on at by for with from into about as than after before during between through over under against is are was were be been being has have had do does did can could will would should may might must it its he she they them their his her we our you your who which that this these those what when where how why not no so if because while such more most also then there each other some any all both many few',
);
const MIN_ENGLISH_SHARE = 0.15;
const OTHER_WORDS = foreignFunctionWords(ENGLISH_WORDS, 'du von');

/** Words that occur in written Cantonese only. */
const CANTONESE_WORDS =
  /[嘅咗喺唔佢哋啲嘢冇嗰嚟畀俾噉咁㗎乜咩攞搵睇諗啱嘞喇]|(?<![關有體聯干間])係(?!數|統)|呢(?=[個啲條種樣位部度次集件間段隻類批])/gu;
/** Their counterparts in Mandarin, outside of words that both have. */
const MANDARIN_WORDS =
  /(?<![目的端標中])的(?!士|確|士高|起)|(?<![於但還只可總凡若要算或更也不])是(?!否|非|次|日|但|項)|[他她它這没沒們嗎]|(?<![為除])了(?!解|結|斷|事|不起)|(?<![現存實所好內自正潛旨])在(?!於|場|職|線|意|乎|校|野|位|家|地|生)|什麼|怎麼|[那哪][個些裡裏樣麼]|給/gu;
/** Number of Mandarin words that count; a single one may be a quotation. */
const MIN_MANDARIN_WORDS = 2;

/**
 * The worst fault of a summary in this language; null if there is none. 'language': most of it is
 * in another language (names, numbers and quotations do not count). 'script': Simplified characters
 * in `cantonese`, Traditional ones in `mandarin`, more than names contain. 'wording': `cantonese`
 * with words of Mandarin (的是他這沒了在) and few of Cantonese (嘅係佢呢冇咗喺); written Chinese with neither is
 * accepted.
 */
export function faultOf(summary: string, language: SummaryLanguage): SummaryFault | null {
  if (!isWrittenIn(summary, language)) return 'language';
  if (language !== 'cantonese' && language !== 'mandarin') return null;
  const { han, simplified, traditional } = countScriptCharacters(summary);
  const wrong = language === 'cantonese' ? simplified : traditional;
  if (wrong > MAX_WRONG_CHARACTERS && wrong > MAX_WRONG_SHARE * han) return 'script';
  return language === 'cantonese' && isInMandarinWords(summary) ? 'wording' : null;
}

/**
 * Converts Chinese to the script of the language: Traditional characters of Hong Kong (`cantonese`)
 * or Simplified ones (`mandarin`). Other texts stay unchanged.
 */
export function repairScript(summary: string, language: SummaryLanguage): string {
  if (language === 'mandarin') return toSimplified(summary);
  if (language !== 'cantonese') return summary;
  // Converting Traditional text again would change characters of both scripts: 茶几, 余.
  return countScriptCharacters(summary).simplified > 0 ? toHongKong(summary) : usualHongKongForms(summary);
}

function isWrittenIn(summary: string, language: SummaryLanguage): boolean {
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
    return latin.length * (1 - MIN_OWN_SHARE) > eastAsian + Math.max(0, other) && isEnglish(latin);
  const ownWords =
    { korean: hangul, japanese: kana + han, cantonese: han, mandarin: han }[language] / CHARACTERS_PER_WORD.eastAsian;
  const foreign = eastAsian - ownWords + Math.max(0, other);
  const words = latin.filter((word) => /^\p{Ll}/u.test(word)).length;
  if (ownWords < MIN_OWN_SHARE * (ownWords + foreign + words)) return false;
  if (ownWords === 0 || ownWords < MIN_OWN_SHARE_WITH_NAMES * (ownWords + foreign + latin.length)) return false;
  if (language === 'japanese') return hiragana >= MIN_HIRAGANA_SHARE * (kana + han);
  if (language === 'korean') return true;
  return kana <= MAX_KANA_SHARE_IN_CHINESE * (kana + han) && (han < CHINESE_PROSE_CHARACTERS || isChinese(text, han));
}

/** Japanese headlines may have no kana, but characters that no Chinese script has. */
function isChinese(text: string, han: number): boolean {
  return CHINESE_FUNCTION.test(text) && countScriptCharacters(text).japanese <= MAX_WRONG_SHARE * han;
}

function isEnglish(words: readonly string[]): boolean {
  const plain = words.map((word) => word.toLowerCase().replace('’', "'"));
  const english = plain.filter((word) => ENGLISH_WORDS.has(word)).length;
  const other = plain.filter((word) => OTHER_WORDS.has(word)).length;
  return english > other && english >= MIN_ENGLISH_SHARE * words.length;
}

function isInMandarinWords(text: string): boolean {
  const mandarin = count(text, MANDARIN_WORDS);
  return mandarin >= MIN_MANDARIN_WORDS && mandarin > 2 * count(text, CANTONESE_WORDS);
}
