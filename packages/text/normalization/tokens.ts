import type { FurtherCurrency } from './further-currencies.ts';
import type { Language } from '@jyutsing/contracts/transcript';
import type { SpokenWord, StyleChange } from '@jyutsing/contracts/spoken-text';

/**
 * A part of a text and its meaning. `tokenize` creates tokens, `VerbalizeToken` of each language
 * turns them into words. The `text` of all tokens of a piece, joined with the white space between
 * them, is the piece.
 */
export type Token = { /** As written; never empty, no white space at its ends. */ text: string } & TokenMeaning;

export type TokenMeaning =
  /**
   * One or more Chinese characters without anything between them, including numerals in characters
   * (三點半).
   */
  | { kind: 'han' }
  /**
   * A Latin word or name: `coffee`, `don't`, `iPhone`, `NASA`. Compounds with a hyphen are one word
   * (`check-in`), and abbreviations keep their points (`Dr.`, `e.g.`).
   */
  | { kind: 'latin' }
  /**
   * Read letter by letter, `letters` in upper case: `MTR`, `U.S.` → `US`, `PhD` → `PHD`. `plural`
   * marks a final `s`: `ATMs`.
   */
  | { kind: 'letters'; letters: string; plural: boolean }
  /**
   * An identifier of letters and digits: `A11`, `5G`, `MP3`, `COVID-19`, `B2B`, room 1203, bus 104.
   * Its digits are read digit by digit from three on, else as a number; `latin` parts as words,
   * `letters` letter by letter. Marks between them are silent.
   */
  | { kind: 'code'; parts: readonly CodePart[] }
  /** Toned syllables as one word, `lek1` or `nǐhǎo`: made by `readWritten`, in Chinese only. */
  | { kind: 'syllables'; syllables: readonly string[] }
  /**
   * A word whose spoken form, and possibly its reading, the request has given (SSML). `reading` is
   * that of `SpokenWord`.
   */
  | { kind: 'given'; language: Language; spokenForm: string; reading: readonly string[] }
  /** Any other number. Whether it counts depends on the text after it (`TokenContext`). */
  | { kind: 'number'; value: Numeral }
  /** Raised digits after a number or a letter: the ⁻⁶ of 10⁻⁶. */
  | { kind: 'power'; value: Numeral }
  /** An exponent with a variable, ⁿ and ⁿ⁻¹: `added` is what is added to it. */
  | { kind: 'nth-power'; added: Numeral | null }
  /** A time on a stopwatch, 1:23.45: digits only. */
  | { kind: 'lap'; minutes: string; seconds: string; fraction: string }
  /** How long something takes, 片長1:30:00. */
  | { kind: 'duration'; hours: number; minutes: number; seconds: number }
  /** 1st, 2nd, 3rd. (第3 is a Chinese character and a number.) */
  | { kind: 'ordinal'; value: Numeral }
  /**
   * A year; `text` includes a written 年: `2026年`. `suffix` is spoken after it: 年, 年代 or s
   * (`1990s`).
   */
  | { kind: 'year'; digits: string; suffix: '' | '年' | '年代' | 's' }
  /**
   * `month` 1–12, `day` 1–31, `year` as written (2 to 4 digits). At least two are present, or `day`
   * with 日/號 or `month` with 月. `shape` numeric: 21/11/2026, 2026-11-21. chinese: 11月21號, with the
   * written `dayWord`. english: Nov 21, 21st November.
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
   * A time of day: 3:30, 15:05, 8pm, 14:30:05, 3點半, 3點30分. `hour` 0–24. `minute` null: only the
   * hour was written. `isHalf`: written 半. `half`: am or pm was written. `shape` chinese: written
   * with 點 or 时.
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
  /**
   * HK$12.50, $3,000, US$5m, 12蚊, 5元, £3. `currency` dollar: a plain $. `unit`: the written Chinese
   * word (蚊, 元, 塊, 円), or ''.
   */
  | { kind: 'money'; currency: Currency; value: Numeral; unit: string }
  /** Digits in groups as written: `+852 9123 4567` → 852, 9123, 4567 with `plus`; 1823; 999. */
  | { kind: 'phone'; groups: readonly string[]; plus: boolean }
  /** 50 %, 3‰. */
  | { kind: 'percent'; value: Numeral; per: 100 | 1000 }
  /** 1/2, ½, 2½ (`whole` 2). Digits only. */
  | { kind: 'fraction'; whole: string | null; numerator: string; denominator: string }
  /**
   * 3-5, 9:00–17:00, $3-5, 10%~20%: `from` and `to` are tokens; a unit at the end belongs to `to`
   * and applies to both.
   */
  | { kind: 'range'; from: Token; to: Token }
  /** 3:2:1 and 1:1.08, which no match ends with. */
  | { kind: 'ratio'; members: readonly Numeral[] }
  /** 3:2 of a match or a ratio; digits only. */
  | { kind: 'score'; home: string; away: string }
  | { kind: 'temperature'; value: Numeral; scale: 'C' | 'F' }
  /** A number with a unit, by its key in `UNITS`: `12 km/h` → `km/h`. */
  | { kind: 'quantity'; value: Numeral; unit: Unit }
  /** v1.2.3, 192.168.0.1: `parts` are digits (or letters: 1.2.3b); `hasV`: written with v. */
  | { kind: 'version'; parts: readonly string[]; hasV: boolean }
  /** Henry VIII, World War II, 第IV: only where nothing else is plausible. */
  | { kind: 'roman'; value: number }
  | { kind: 'email' }
  | { kind: 'url' }
  /** `#word` and `@name`: `name` is the text after the sign. */
  | { kind: 'hashtag'; name: string }
  | { kind: 'mention'; name: string }
  /**
   * One sign that may be spoken: + − × ÷ = & % # / ° § © → ≥ and so on, depending on the language.
   */
  | { kind: 'symbol' }
  /** One or more punctuation marks in a row, which may end a phrase. */
  | { kind: 'mark' }
  /** Silent: emoji, control characters, other scripts. */
  | { kind: 'silent' };

export type TokenKind = TokenMeaning['kind'];

/** A token, its position in the plain text in UTF-16 units, and the style of its words. */
export type PlacedToken = { token: Token; at: number; style?: StyleChange };

/**
 * A tokenized part of a text: the server splits the text by its tokens, a worker verbalizes them.
 */
export type TokenizedPiece = {
  /** The text as written. */
  text: string;
  /**
   * The text without markup, full-width forms and Simplified characters (see `plainText`), of the
   * same length.
   */
  plain: string;
  /** The tokens in order; positions are those in `plain`. */
  tokens: readonly PlacedToken[];
  /** False for a part of a long sentence that continues in the next piece. */
  endsSentence: boolean;
};

/** `written` is what the piece has for `text` where that is in plain letters: 𝐔 for U. */
export type CodePart = { kind: 'digits' | 'letters' | 'latin'; text: string; written?: string };

export type Numeral = {
  sign: '' | '+' | '-';
  /**
   * The digits 0–9 before the point, without separators, with leading zeros. Never empty (`.5` →
   * `0`).
   */
  digits: string;
  /** The digits after the point; null: there is no point. */
  fraction: string | null;
  /**
   * True for a number with thousands separators, which is an amount, never a year or an identifier.
   */
  isGrouped: boolean;
  /** A power of ten after the number: 3.5萬, 2 million, $15K. */
  scale: { written: string; exponent: number } | null;
};

// prettier-ignore
export type Currency =
  | FurtherCurrency
  | 'dollar' | 'HKD' | 'USD' | 'CNY' | 'TWD' | 'MOP' | 'AUD' | 'CAD' | 'SGD' | 'EUR' | 'GBP' | 'JPY' | 'KRW' | 'THB'
  | 'INR' | 'PHP' | 'VND' | 'RUB';

/** Keys of units; `units.ts` lists their notations. */
// prettier-ignore
export const UNITS = [
  'km', 'm', 'cm', 'mm', 'μm', 'nm', 'ft', 'in', 'yd', 'mi',
  'kg', 'g', 'mg', 'μg', 'lb', 'oz',
  'L', 'mL', 'm²', 'km²', 'cm²', 'ha', 'ft²', 'm³', 'cm³',
  'km/h', 'm/s', 'm/s²', 'mph', 'Mbps', 'Gbps', 'Tbps', 'kbps', 'μg/m³', 'mg/m³', 'kg/m³', 'g/dL', 'mg/dL', 'kg/m²',
  'B', 'KB', 'MB', 'GB', 'TB',
  'Hz', 'kHz', 'MHz', 'GHz', 'V', 'kV', 'W', 'kW', 'GW', 'MW', 'kWh', 'MWh', 'A', 'mAh', 'mA', 'mmHg', 'mmol/L',
  'kcal', 'cal', 'kJ', 'Pa', 'hPa', 'kPa', 'MPa', 'dB', '°', '′', '″', '°N', '°S', '°E', '°W', 'px', 'ppm', 'bpm', 'fps',
  'ns', 'μs', 'ms', 's', 'min', 'h', '×',
] as const;
export type Unit = (typeof UNITS)[number];

/** The text around a token in its piece: 2 is 兩 before 個. Both may be empty. */
export type TokenContext = { before: string; after: string };

/**
 * A word of a verbalized token. `written` is a part of the token's `text` (in order, without
 * overlap, and not empty but for the last word of ⁿ; other parts are silent); `spokenForm` has
 * neither digits nor signs. Letters are English words of capitals with spaces: `M T R`.
 */
export type VerbalizedWord = { written: string; language: Language; spokenForm: string };

/**
 * Verbalizes a token of any kind in one language; no words: silent. Pure and fast. Chinese
 * characters in English, and English in Chinese, become words of their own language. The English
 * `twelve dollars` for `$12` is one word, because times belong to written words.
 */
export type VerbalizeToken = (token: Token, context: TokenContext) => VerbalizedWord[];

/**
 * Adds readings to adjacent words of one language within a phrase; keeps the words and their order.
 * Implementations are imported dynamically because their dictionaries are large.
 */
export type AddWordReadings = (words: readonly SpokenWord[]) => SpokenWord[];

/** The numeral of plain digits. */
export function plainNumeral(digits: string): Numeral {
  return { sign: '', digits, fraction: null, isGrouped: false, scale: null };
}

/** The numeral of plain digits with or without decimals: 4.8. */
export function decimalNumeral(written: string): Numeral {
  const [digits = '', fraction = null] = written.split('.');
  return { ...plainNumeral(digits), fraction };
}
