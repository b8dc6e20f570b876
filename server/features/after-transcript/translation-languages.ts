import { openTraditional, toSimplified, toTraditional } from '@jyutsing/text/script/convert-script';
import type { TextLanguage } from './text-choices.ts';

type TargetLanguage = {
  /** As it is named to a model. */
  name: string;
  /** Whether a text can be in this language; `source` is what it translates. */
  fits(text: string, source: string): boolean;
  /** The text in the script of the language. */
  finish(text: string): string | Promise<string>;
};

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
const HAN = /\p{Script=Han}/gu;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const HANGUL = /\p{Script=Hangul}/gu;
const LETTERS = /\p{L}/gu;
/** Words that only written Cantonese has. */
const CANTONESE = /[嘅咗喺唔佢哋啲嘢冇嗰嚟畀噉咁㗎乜咩瞓攞搵諗嘞喇]/gu;
/** A name may stay as it is; from this length on a text must be in the language. */
const NAME_LENGTH = 6;
const unchanged = (text: string) => text;

/** Han characters are at most this share of a text in letters. */
const fewHan = (text: string) => count(text, HAN) <= Math.max(4, 0.3 * count(text, LETTERS));

async function inTraditional(text: string): Promise<string> {
  await openTraditional();
  return toTraditional(text);
}

export const TRANSLATION_LANGUAGES: Readonly<Record<TextLanguage, TargetLanguage>> = {
  cantonese: {
    name: 'Cantonese as people write it in Hong Kong (口語), in Traditional Chinese characters',
    fits: (text) => count(text, LETTERS) === 0 || count(text, KANA) + count(text, HANGUL) < 0.1 * count(text, LETTERS),
    finish: inTraditional,
  },
  written_chinese: {
    name: 'formal written Chinese (書面語) as in Hong Kong newspapers, in Traditional Chinese characters, without colloquial Cantonese words such as 嘅, 咗, 唔 or 佢',
    // A quotation or a name may keep one.
    fits: (text) => count(text, CANTONESE) <= 0.04 * text.length + (text.length > 20 ? 1 : 0) && isChinese(text),
    finish: inTraditional,
  },
  english: { name: 'English', fits: fewHan, finish: unchanged },
  mandarin: {
    name: 'Mandarin (普通话), in Simplified Chinese characters',
    fits: (text) => count(text, CANTONESE) <= 0.06 * text.length + (text.length > 20 ? 1 : 0) && isChinese(text),
    finish: toSimplified,
  },
  japanese: {
    name: 'Japanese',
    fits: (text, source) => source.length < NAME_LENGTH || count(text, HAN) < NAME_LENGTH || count(text, KANA) > 0,
    finish: unchanged,
  },
  korean: {
    name: 'Korean',
    fits: (text, source) => source.length < NAME_LENGTH || (count(text, HANGUL) > 0 && fewHan(text)),
    finish: unchanged,
  },
};

/** Chinese, unless the segment has only a few words of another language. */
function isChinese(text: string): boolean {
  const letters = count(text, LETTERS);
  return letters < 20 || count(text, HAN) > 0;
}
