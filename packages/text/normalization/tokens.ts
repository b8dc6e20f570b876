import type { Language } from '@jyutsing/contracts/transcript';
import type { SpokenWord } from '@jyutsing/contracts/spoken-text';

/**
 * What a text is made of before anybody has decided how it is said: `tokenise` (tokenise.ts) gives them, `SayItem` of each language turns
 * them into words. `text` of all items of a piece, joined with the white space between them, is the piece again.
 */
export type Token = { /** As written; never empty, no white space at its ends. */ text: string } & TokenMeaning;

export type TokenMeaning =
  /** Chinese characters, one or more, with nothing else between them; numerals written in characters too (三點半). */
  | { kind: 'han' }
  /** A Latin word or name, said as a word: `coffee`, `don't`, `iPhone`, `NASA`. Hyphenated ones are one word (`check-in`), and abbreviations keep their points (`Dr.`, `e.g.`). */
  | { kind: 'latin' }
  /** Said letter by letter, `letters` in upper case: `MTR`, `U.S.` → `US`, `PhD` → `PHD`. A plural `s` after them stands in `plural`: `ATMs`. */
  | { kind: 'letters'; letters: string; plural: boolean }
  /**
   * An identifier of letters and digits in turn: `A11`, `5G`, `MP3`, `COVID-19`, `B2B`, room 1203, bus 104. Digits of it are said digit by
   * digit from three on, else as a number. `latin` parts are said as a word, `letters` letter by letter. Marks between them are silent.
   */
  | { kind: 'code'; parts: readonly CodePart[] }
  /** A number that is nothing else. Whether it counts something is told by what comes after it (`ItemContext`). */
  | { kind: 'number'; value: Numeral }
  /** 1st, 2nd, 3rd. (第3 is the Chinese character and a number.) */
  | { kind: 'ordinal'; value: Numeral }
  /** A year, the character 年 within `text` where it stands there: `2026年`; `suffix` is what is to be said after it, 年, 年代 or s (`1990s`). */
  | { kind: 'year'; digits: string; suffix: '' | '年' | '年代' | 's' }
  /**
   * `month` 1–12, `day` 1–31, `year` as written (2 to 4 digits). At least two are there, or `day` with 日/號 or `month` with 月.
   * `shape` numeric: 21/11/2026, 2026-11-21. chinese: 11月21號, with the `dayWord` that was written. english: Nov 21, 21st November.
   */
  | {
      kind: 'date';
      year: string | null;
      month: number | null;
      day: number | null;
      shape: 'numeric' | 'chinese' | 'english';
      dayWord: '日' | '號' | '号' | '';
    }
  /**
   * A time of day: 3:30, 15:05, 8pm, 14:30:05, 3點半, 3點30分. `hour` 0–24. `minute` null: only the hour is said. `isHalf`: written 半.
   * `half`: am or pm was written. `shape` chinese: written with 點 or 时.
   */
  | {
      kind: 'time';
      hour: number;
      minute: number | null;
      second: number | null;
      isHalf: boolean;
      half: 'am' | 'pm' | null;
      shape: 'clock' | 'chinese';
    }
  /** HK$12.50, $3,000, US$5m, 12蚊, 5元, £3. `currency` dollar: a bare $ (of the place). `unit`: the Chinese word that was written (蚊, 元, 塊, 円), or ''. */
  | { kind: 'money'; currency: Currency; value: Numeral; unit: string }
  /** Digits in the groups in which they were written: `+852 9123 4567` → 852, 9123, 4567 with `plus`; 1823; 999. */
  | { kind: 'phone'; groups: readonly string[]; plus: boolean }
  /** 50 %, 3‰. */
  | { kind: 'percent'; value: Numeral; per: 100 | 1000 }
  /** 1/2, ½, 2½ (`whole` 2). Digits only. */
  | { kind: 'fraction'; whole: string | null; numerator: string; denominator: string }
  /** 3-5, 9:00–17:00, $3-5, 10%~20%: `from` and `to` are items of their own; a unit at the end belongs to `to` and is meant for both. */
  | { kind: 'range'; from: Token; to: Token }
  /** 3:2 of a match or a ratio; digits only. */
  | { kind: 'score'; home: string; away: string }
  | { kind: 'temperature'; value: Numeral; scale: 'C' | 'F' }
  /** A number with a unit of `UNITS`, by its key there: `12 km/h` → `km/h`. */
  | { kind: 'quantity'; value: Numeral; unit: Unit }
  /** v1.2.3, 192.168.0.1: `parts` are digits (or letters: 1.2.3b); `hasV`: written with v. */
  | { kind: 'version'; parts: readonly string[]; hasV: boolean }
  /** Henry VIII, World War II, 第IV: only where it can hardly be anything else. */
  | { kind: 'roman'; value: number }
  | { kind: 'email' }
  | { kind: 'url' }
  /** `#word` and `@name`: what stands after the sign is `name`. */
  | { kind: 'hashtag'; name: string }
  | { kind: 'mention'; name: string }
  /** One sign that may be said: + − × ÷ = & % # / ° § © → ≥ and the like; each language decides (null words: silent). */
  | { kind: 'symbol' }
  /** Punctuation, one or more marks in a row: phrases end here. */
  | { kind: 'mark' }
  /** Not said: emoji, control characters, scripts that none of our languages reads. */
  | { kind: 'silent' };

export type TokenKind = TokenMeaning['kind'];

/** A token and the position in its plain text at which it begins, in UTF-16 units. */
export type PlacedToken = { token: Token; at: number };

/** A part of a text, tokenized: the server splits the text by the tokens, a worker verbalizes them. */
export type TokenizedPiece = {
  /** As written. */
  text: string;
  /** The same without markup and full-width forms (see `plainText`), of the same length. */
  plain: string;
  /** In order; positions are those in `plain`. */
  tokens: readonly PlacedToken[];
  /** False where a long sentence goes on in the next piece. */
  endsSentence: boolean;
};

export type CodePart = { kind: 'digits' | 'letters' | 'latin'; text: string };

export type Numeral = {
  sign: '' | '+' | '-';
  /** The digits 0–9 before the point, separators taken out, leading zeros kept. Never empty (`.5` → `0`). */
  digits: string;
  /** The digits after the point; null: there was no point. */
  fraction: string | null;
  /** Thousands were parted: it is an amount, never a year or an identifier. */
  isGrouped: boolean;
  /** A power of ten written behind: 3.5萬, 2 million, $15K. */
  scale: { written: string; exponent: number } | null;
};

export type Currency =
  'dollar' | 'HKD' | 'USD' | 'CNY' | 'TWD' | 'MOP' | 'AUD' | 'CAD' | 'SGD' | 'EUR' | 'GBP' | 'JPY' | 'KRW' | 'THB';

/** Keys of units; `units.ts` lists how each is written. */
// prettier-ignore
export const UNITS = [
  'km', 'm', 'cm', 'mm', 'μm', 'nm', 'ft', 'in', 'yd', 'mi',
  'kg', 'g', 'mg', 'μg', 'lb', 'oz',
  'L', 'mL', 'm²', 'km²', 'cm²', 'ft²', 'm³', 'cm³',
  'km/h', 'm/s', 'mph', 'Mbps', 'Gbps', 'kbps',
  'B', 'KB', 'MB', 'GB', 'TB',
  'Hz', 'kHz', 'MHz', 'GHz', 'V', 'W', 'kW', 'kWh', 'A', 'mAh',
  'kcal', 'cal', 'kJ', 'Pa', 'hPa', 'kPa', 'dB', '°', 'px', 'ppm', 'bpm', 'fps',
  'ms', 's', 'min', 'h',
] as const;
export type Unit = (typeof UNITS)[number];

/** What stands around an item in its piece, as written: 2 is 兩 before 個. Both may be empty. */
export type TokenContext = { before: string; after: string };

/**
 * A word of what an item says. `written` is a part of the item's `text` (never empty; in order, without overlap; what is left out is
 * silent), `said` has neither digits nor signs. Letters are said as capitals with spaces between them, words of English: `M T R`.
 */
export type VerbalizedWord = { written: string; language: Language; spokenForm: string };

/**
 * How one language says an item of any kind. Pure and light. No words: silent. Chinese characters within English, and English within
 * Chinese, come out as words of their own language. An English word is one `SaidWord`; `said` of `$12` in English is `twelve dollars`, one
 * word too, since times are told of what is written.
 * Implemented by `sayCantonese` (cantonese/say-cantonese.ts), `sayMandarin` (mandarin/say-mandarin.ts), `sayEnglish` (english/say-english.ts).
 */
export type VerbalizeToken = (token: Token, context: TokenContext) => VerbalizedWord[];

/**
 * Fills in the readings of neighbouring words of one language that belong to one phrase; the same words come back in the same order.
 * Implemented by `readMandarin` (mandarin/read-mandarin.ts) and `readEnglish` (english/read-english.ts), modules that are imported
 * dynamically because their dictionaries are large.
 */
export type AddWordReadings = (words: readonly SpokenWord[]) => SpokenWord[];

/** The numeral of plain digits. */
export function plainNumeral(digits: string): Numeral {
  return { sign: '', digits, fraction: null, isGrouped: false, scale: null };
}
