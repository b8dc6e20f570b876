import { integerInWords } from './numerals.ts';

/** Short names of books at the beginning, 太5:3; those that are also words, in brackets: （約3:16）. */
const SHORT_NAME = String.raw`(?<![\p{Script=Han}\p{L}])(?:創|申|箴|賽|太|徒|羅|弗|腓|啟|詩|[撒王代][上下]|[林帖提彼][前後]|約[一二三壹貳叁])|(?<=[（(])(?:[出利民書士得拉尼斯伯傳歌耶哀結但何珥摩拿彌鴻哈番該亞瑪可路約加西多門來雅猶])`;
/** The books of the Bible with chapters and verses, by their ends. */
const BOOK_NAME = String.raw`(?:福音|使徒行傳|[羅林加弗腓西後前提多門來各彼約猶][一二三壹貳叁]?書|(?:羅馬|加拉太|以弗所|腓立比|歌羅西|提多|腓利門|希伯來|雅各|猶大|以賽亞|耶利米|以西結|但以理|何西阿|約珥|阿摩司|俄巴底亞|約拿|彌迦|那鴻|哈巴谷|西番雅|哈該|撒迦利亞|瑪拉基|約翰[一二三壹貳叁])書|啟示錄|(?:創世|出埃及|利未|民數|申命|約書亞|士師|路得|以斯拉|尼希米|以斯帖|約伯)記|(?:撒母耳記|列王紀|歷代志)[上下]|詩篇|箴言|傳道書|雅歌|耶利米哀歌|[古可]蘭經|${SHORT_NAME})[ 第]*`;
/** Verses of other chapters may stand between: 約翰福音3:16同4:1. */
const BOOK = new RegExp(
  String.raw`${BOOK_NAME}(?:\d{1,3}[:：]\d{1,3}(?: ?[-–—~～至] ?\d{1,3})? ?[同及和與；;、，,至] ?){0,3}$`,
  'u',
);
const VERSE = /^(\d{1,3})[:：](\d{1,3})$/u;
/** More verses of a chapter before a number, and after it: 20:3-17, 3:5、6. */
const VERSES_BEFORE = new RegExp(
  String.raw`${BOOK_NAME}\d{1,3}[:：]\d{1,3}(?: ?[-–—~～至、] ?\d{1,3}){0,5} ?[-–—~～至、] ?$`,
  'u',
);
const VERSES_AFTER = /^ ?[-–—~～至、] ?\d{1,3}(?![\d:：])/u;

/**
 * Reads 3:16 after the name of a book of the Bible: 三章十六節, without 節 where more verses follow;
 * null elsewhere.
 */
export function verseInWords(text: string, before: string, after: string): string | null {
  const [, chapter, verse] = VERSE.exec(text) ?? [];
  if (chapter === undefined || verse === undefined || !BOOK.test(before)) return null;
  return `${integerInWords(chapter)}章${integerInWords(verse)}${continuesVerses(after) ? '' : '節'}`;
}

/** Whether the next number is one more verse of a chapter, or the last of several. */
export function isFurtherVerse(before: string): boolean {
  return VERSES_BEFORE.test(before);
}

/** Whether more verses of the same chapter follow. */
export function continuesVerses(after: string): boolean {
  return VERSES_AFTER.test(after);
}
