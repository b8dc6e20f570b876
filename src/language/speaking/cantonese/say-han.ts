import { readerWords } from '#language/reader-words.ts';
import type { SaidWord } from '#language/speaking/items.ts';

/** Characters of several syllables, or none that Hong Kong reads: what is said instead. */
const SAID_FOR: Readonly<Record<string, string>> = {
  瓩: '千瓦',
  瓧: '十克',
  兙: '十克',
  糎: '厘米',
  粍: '毫米',
  粁: '公里',
  浬: '海里',
  々: '',
  円: '圓',
};
const OTHERS = new RegExp(`[${Object.keys(SAID_FOR).join('')}]`, 'gu');
/** Belongs to the word before it, whatever the dictionary of the platform thinks. */
const CLINGING = /^[哋们們]$/u;

/** Chinese characters as the words that a reader parts them into. */
export function sayHan(text: string): SaidWord[] {
  const words: SaidWord[] = [];
  for (const { segment } of readerWords(text)) {
    const last = words.at(-1);
    const said = segment.replace(/[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]/gu, '');
    if (last !== undefined && CLINGING.test(said)) {
      last.written += segment;
      last.said += said;
    } else if (said !== '') words.push({ written: segment, language: 'cantonese', said });
  }
  for (const word of words) word.said = withoutRareCharacters(word.said);
  return words.filter(({ said }) => said !== '');
}

function withoutRareCharacters(text: string): string {
  // 々 repeats what stands before it.
  return text.replace(/(.)々/gu, '$1$1').replace(OTHERS, (char) => SAID_FOR[char] ?? char);
}
