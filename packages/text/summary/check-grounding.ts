import type { SummaryLanguage } from '@jyutsing/contracts/summarizer';
import { toSimplified } from '#text/script/convert-script.ts';
import { CHINESE } from './chinese.ts';
import { ENGLISH } from './english.ts';
import { JAPANESE } from './japanese.ts';
import { KOREAN } from './korean.ts';
import { detectTranscriptLanguage } from './languages.ts';
import type { Lexicon } from './lexicon.ts';
import { startPace } from './pace.ts';

/**
 * Both Chinese languages are compared in Simplified characters: the transcript may be in either
 * script.
 */
const LEXICONS: Readonly<Record<SummaryLanguage, Lexicon>> = {
  cantonese: CHINESE,
  mandarin: CHINESE,
  english: ENGLISH,
  japanese: JAPANESE,
  korean: KOREAN,
};
const READ_CHARACTERS = 8_192;

/** Minimum share of content words found in the transcript; see `groundingFaultOf`. */
const MIN_SHARE = 0.1;
/** From this number of words on, one found word is not enough: an injection may have named it. */
const UNITS_NEEDING_TWO_MATCHES = 6;
const MIN_UNITS = 3;
/** From this length of the transcript on, a summary needs several content words. */
const LONG_TRANSCRIPT_CHARACTERS = 1_000;
/** A summary is rejected if it is one quotation of a transcript that is this many times as long. */
const QUOTED_OF = 10;
/** A longer passage is a copy, whatever the rest of the summary says. */
const MAX_QUOTED_LETTERS = 1_500;
/** A passage of at least this length and share of the transcript is a copy. */
const MIN_COPIED_LETTERS = 600;
const COPIED_SHARE = 0.5;
/** A passage that the transcript repeats more often is its subject. */
const MAX_TIMES_QUOTED = 2;

const MAX_REFUSAL_CHARACTERS = 400;
/** Beginnings of refusals and of complaints about missing input. */
const REFUSALS = [
  "(?:i['’]?m|i am|we['’]re) (?:very |so |really |truly )?sorry\\b|(?:my apologies|i apologi[sz]e|apologies)\\b|sorry, (?:but )?i\\b",
  "(?:i|we) (?:can['’]?t|cannot|can not|won['’]t|will not|am unable to|am not able to|do not|don['’]t) (?:help|assist|comply|provide|summari[sz]e|process|fulfil|answer|continue|have (?:access|the|any))",
  'as an? (?:ai\\b|(?:large )?language model|assistant)|(?:hello|hi)\\b[^.!?]{0,20}[.!?,] how (?:can|may) i (?:help|assist)',
  'please (?:provide|paste|share|upload|send)\\b[^.!?]{0,60}(?:transcript|text|content|video)',
  '(?:好|很|非常|十分|真係|實在|实在)?(?:抱歉|對唔住|对唔住|對不起|对不起|唔好意思|不好意思)',
  '我(?:無法|无法|未能|不能|唔能夠|唔可以|冇辦法|没有办法|沒有辦法|不可以)(?:協助|协助|幫|帮|處理|处理|提供|總結|总结|完成|回答|生成|摘要)',
  '(?:作為|作为|身為)(?:一個|一个|一名)?(?:ai|人工智能|人工智慧|語言模型|语言模型|大型)|你好[！!，,。]?[^。！!]{0,10}(?:有咩|有乜|有什麼|有什么)[^。！!]{0,6}(?:幫|帮)',
  '(?:請|请)(?:你|您)?(?:提供|貼上|粘贴|輸入|输入|上載|上传|將|将)[^。！!]{0,30}(?:文字|內容|内容|字幕|逐字稿|文本)',
  '(?:大変)?(?:申し訳(?:ありません|ございません)|すみません|ごめんなさい)|要約(?:する|したい)[^。]{0,20}(?:テキスト|文章|内容)[^。]{0,20}ください',
  '(?:정말 )?(?:죄송|미안)|요약할 (?:텍스트|내용|글)[^.]{0,30}(?:주세요|주십시오)',
];
const REFUSAL = new RegExp(`^(?:${REFUSALS.join('|')})`, 'iu');
const FIRST_SENTENCE = /^[^.!?。！？\n]*/u;

/** The reason for which a summary is not based on its transcript. */
export type GroundingFault = 'refusal' | 'empty' | 'quotation' | 'unrelated';

type About = { transcript: string; title: string | null; language: SummaryLanguage };

/**
 * Checks that a summary is based on its transcript; null if it is.
 * - 'refusal': it starts like a refusal of a model, in words that the transcript does not contain.
 * - 'empty': fewer than 3 content words for a transcript of 1,000 characters or more; an injection
 *   may have dictated them.
 * - 'unrelated': in the language of the transcript, less than a tenth of its content words (pairs
 *   of characters in Chinese) occur there, or only one of six or more. Other languages are not
 *   compared.
 * - 'quotation': a single passage that occurs at most twice, from a transcript at least 10 times as
 *   long (an injection may have dictated it), or of more than 1,500 letters, or 600 that are half
 *   of the transcript (a copy).
 *
 * The tenth is measured (eval/summary/grounding.ts): 34 abstracts in different words share 0.20 or
 * more of their words with their own talk (medians 0.29 in Mandarin to 0.55 in Korean), also from
 * Cantonese to Mandarin. Of 234 pairs with another talk in the same language 218 are rejected
 * (medians 0.02 to 0.10), of 94 apologies and injected texts 91. Transcripts of hours contain
 * nearly every common word, so there only the other three checks work. An aborted signal throws its
 * reason.
 */
export async function groundingFaultOf(
  summary: string,
  about: About,
  signal: AbortSignal,
): Promise<GroundingFault | null> {
  const { share, unitCount, letters, transcriptLetters } = await groundingOf(summary, about, signal);
  const isRefusal = summary.length <= MAX_REFUSAL_CHARACTERS && REFUSAL.test(summary);
  if (isRefusal && !transcriptLetters.includes(lettersOf(comparable(FIRST_SENTENCE.exec(summary)?.[0] ?? ''))))
    return 'refusal';
  if (about.transcript.length >= LONG_TRANSCRIPT_CHARACTERS && unitCount < MIN_UNITS) return 'empty';
  if (share !== null && isUnrelated(share, unitCount)) return 'unrelated';
  return isNoSummaryOf(letters.length, transcriptLetters.length) && isQuotation(letters, transcriptLetters)
    ? 'quotation'
    : null;
}

/** Whether the share of found content units is too small for their number. */
export function isUnrelated(share: number, unitCount: number): boolean {
  const found = Math.round(share * unitCount);
  return share < MIN_SHARE || (found < 2 && unitCount >= UNITS_NEEDING_TWO_MATCHES);
}

/**
 * Compares a summary with the transcript and the title. `share`: found part of the distinct content
 * units, null when the languages differ.
 */
export async function groundingOf(
  summary: string,
  { transcript, title, language }: About,
  signal: AbortSignal,
): Promise<{ share: number | null; unitCount: number; letters: string; transcriptLetters: string }> {
  const lexicon = LEXICONS[language];
  const pace = startPace(signal);
  const plain = comparable(summary);
  const units = new Set(lexicon.units(plain));
  const missing = new Set(units);
  const spoken = detectTranscriptLanguage(transcript);
  const isComparable = spoken !== null && LEXICONS[spoken] === lexicon && units.size > 0;
  let transcriptLetters = '';
  for (const piece of piecesOf(transcript)) {
    await pace();
    const text = comparable(piece);
    transcriptLetters += lettersOf(text);
    if (isComparable && missing.size > 0) for (const unit of lexicon.units(text)) missing.delete(unit);
  }
  for (const unit of lexicon.units(comparable(title ?? ''))) missing.delete(unit);
  const share = isComparable ? 1 - missing.size / units.size : null;
  return { share, unitCount: units.size, letters: lettersOf(plain), transcriptLetters };
}

/** Whether a quoted passage of this length is too little or too much of the transcript. */
function isNoSummaryOf(quoted: number, all: number): boolean {
  if (all >= QUOTED_OF * quoted || quoted > MAX_QUOTED_LETTERS) return true;
  return quoted >= MIN_COPIED_LETTERS && quoted >= COPIED_SHARE * all;
}

function isQuotation(letters: string, of: string): boolean {
  let times = 0;
  for (let at = of.indexOf(letters); at >= 0 && times <= MAX_TIMES_QUOTED; at = of.indexOf(letters, at + 1)) times += 1;
  return times > 0 && times <= MAX_TIMES_QUOTED;
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}

/** Converts a text to lower case and one script; the kanji of both texts are converted. */
function comparable(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase();
  return /\p{Script=Han}/u.test(plain) ? toSimplified(plain) : plain;
}

/** Splits a text into pieces, between lines or words if possible. */
function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const piece = text.slice(start, start + READ_CHARACTERS);
    const isLast = start + piece.length >= text.length;
    const divide = isLast ? -1 : Math.max(piece.lastIndexOf('\n'), piece.lastIndexOf(' '));
    const size = divide > 0 ? divide : piece.length;
    yield piece.slice(0, size);
    start += size;
  }
}
