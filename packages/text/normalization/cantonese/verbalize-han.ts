import { withPrivateCharacters } from '#text/script/fold-characters.ts';
import { MAX_COLLOQUIAL_WORD_LENGTH, COLLOQUIAL_WORDS } from './colloquial-words.ts';
import type { Token, VerbalizedWord } from '#text/normalization/tokens.ts';
import { wordsOfToken } from '#text/normalization/words-of-token.ts';

/** Replacements for characters of several syllables and characters that Hong Kong does not read. */
const SPOKEN_FORMS: Readonly<Record<string, string>> = {
  瓩: '千瓦',
  瓧: '十克',
  兙: '十克',
  糎: '厘米',
  粍: '毫米',
  粁: '公里',
  浬: '海里',
  兛: '千克',
  兡: '百克',
  兣: '厘克',
  兞: '毫克',
  兝: '分克',
  嗧: '加侖',
  瓰: '分瓦',
  瓱: '毫瓦',
  瓸: '百瓦',
  甅: '厘瓦',
  竍: '十升',
  竏: '千升',
  竓: '毫升',
  竕: '分升',
  竡: '百升',
  竰: '厘升',
  // Radicals are named by the character that they come from.
  糹: '絲',
  纟: '絲',
  罓: '網',
  艹: '草',
  衤: '衣',
  覀: '西',
  訁: '言',
  讠: '言',
  辶: '走',
  釒: '金',
  钅: '金',
  飠: '食',
  饣: '食',
  牜: '牛',
  犭: '犬',
  々: '',
  円: '圓',
  𠮷: '吉',
  '㍻': '平成',
  '㍼': '昭和',
  '㍽': '大正',
  '㍾': '明治',
  '㋿': '令和',
  '㍿': '株式會社',
};
const OTHERS = new RegExp(`[${Object.keys(SPOKEN_FORMS).join('')}]`, 'gu');
const VARIATION_SELECTORS = /[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]/gu;
/** A text without any of them, and without private characters, is spoken as it is written. */
const NOT_AS_WRITTEN = new RegExp(`${OTHERS.source}|${VARIATION_SELECTORS.source}|\\p{Co}`, 'u');
/**
 * Suffixes that belong to the word before them, although the platform's dictionary separates them.
 */
const CLINGING = /^[哋们們]$/u;

/** The words of a token of Chinese characters. */
export function verbalizeHan(token: Token): VerbalizedWord[] {
  const segments: string[] = [];
  for (const segment of wordsOfToken(token)) {
    const last = segments.at(-1);
    if (last !== undefined && CLINGING.test(segment)) segments[segments.length - 1] = last + segment;
    else segments.push(segment);
  }
  const words = joinSpokenWords(segments);
  if (!NOT_AS_WRITTEN.test(token.text)) {
    return words.map((written) => ({ written, language: 'cantonese', spokenForm: written }));
  }
  return words.flatMap((written): VerbalizedWord[] => {
    const spokenForm = withoutRareCharacters(withPrivateCharacters(written.replace(VARIATION_SELECTORS, '')));
    return spokenForm === '' ? [] : [{ written, language: 'cantonese', spokenForm }];
  });
}

/** Joins segments that form one colloquial word, the longest one at each position. */
function joinSpokenWords(segments: readonly string[]): string[] {
  const words: string[] = [];
  for (let at = 0; at < segments.length;) {
    let best = segments[at] ?? '';
    let next = at + 1;
    let joined = best;
    for (let end = at + 1; end < segments.length && joined.length < MAX_COLLOQUIAL_WORD_LENGTH; end += 1) {
      joined += segments[end] ?? '';
      if (COLLOQUIAL_WORDS.has(joined)) [best, next] = [joined, end + 1];
    }
    words.push(best);
    at = next;
  }
  return words;
}

function withoutRareCharacters(text: string): string {
  // 々 repeats the previous character.
  return text.replace(/(.)々/gu, '$1$1').replace(OTHERS, (char) => SPOKEN_FORMS[char] ?? char);
}
