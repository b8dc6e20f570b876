import type { PhraseEnding, SpokenPhrase, SpokenWord } from '@jyutsing/contracts/spoken-text';
import type { Language } from '@jyutsing/contracts/transcript';
import { normalizeSyllable, parseSyllable } from '@jyutsing/text/syllables/jyutping';
import { formatPinyin, parsePinyin } from '@jyutsing/text/syllables/pinyin';
import { arpabetToMnemonics } from './arpabet.ts';
import type { SourceVoice } from './espeak-driver.ts';

/** A Chinese syllable or an English word: one item of the text for espeak-ng. */
export type SourceItem = {
  /** Position in the text of its call. */
  from: number;
  to: number;
  /** Index of its word in the phrase. */
  word: number;
  written: string;
  /** The normalized syllable of the reading; the word for English. */
  reading: string;
  /** Tone 1–6 of jyutping, 1–5 of pinyin, 0 for English. */
  tone: number;
  /**
   * True for a syllabic consonant, which espeak-ng makes too short: it is synthesized after a
   * vowel, and only the consonant is used.
   */
  isOnlyCoda: boolean;
  isWordStart: boolean;
  isWordEnd: boolean;
};

/** Input of one call of espeak-ng. Items of `context` are synthesized only for coarticulation. */
export type SourceCall = { voice: SourceVoice; text: string; items: SourceItem[]; context: SourceItem[] };

type SourcePhrase = { calls: SourceCall[]; ending: PhraseEnding };

const VOICES: Readonly<Record<Language, SourceVoice>> = { cantonese: 'yue', mandarin: 'cmn', english: 'en' };
/** Number of items of the first call of a piece, which determines its latency. */
const FIRST_CALL_ITEMS: Readonly<Record<SourceVoice, number>> = { yue: 3, cmn: 3, en: 2 };
/**
 * Number of items of later calls. Aborts take effect between calls, so these stay below about 20
 * ms.
 */
const CALL_ITEMS: Readonly<Record<SourceVoice, number>> = { yue: 8, cmn: 7, en: 6 };

/**
 * Longest English item in letters; longer ones are split. A word of two hundred letters overruns
 * the program's buffers.
 */
const ITEM_LETTERS = 60;
/** Longest text without a space, longer than every word. */
const WORD_LETTERS = 40;

type PlannedItem = Omit<SourceItem, 'from' | 'to'> & { spoken: string };

/**
 * Plans the calls of espeak-ng for a phrase. Skips words that cannot be spoken (no letter, no valid
 * syllable).
 */
export function planSource({ words, ending }: SpokenPhrase, isFirst: boolean): SourcePhrase {
  const calls: SourceCall[] = [];
  const items = words.flatMap((word, index) =>
    itemsOf(word, index).map((item) => ({ item, voice: VOICES[word.language] })),
  );
  for (let at = 0; at < items.length;) {
    const { voice } = items[at]!;
    let runEnd = at;
    while (items[runEnd]?.voice === voice) runEnd += 1;
    const run = items.slice(at, runEnd).map(({ item }) => item);
    calls.push(...callsOf(voice, run, isFirst && at === 0));
    at = runEnd;
  }
  return { calls, ending };
}

function callsOf(voice: SourceVoice, run: readonly PlannedItem[], isFirst: boolean): SourceCall[] {
  const calls: SourceCall[] = [];
  for (let from = 0; from < run.length;) {
    const mostItems = isFirst && from === 0 ? FIRST_CALL_ITEMS[voice] : CALL_ITEMS[voice];
    let to = Math.min(run.length, from + mostItems);
    // Include a short remainder: two calls cost more than one.
    if (run.length - to <= 2) to = run.length;
    // Avoid splitting a word, because its last syllable determines how it ends.
    else if (!run[to - 1]!.isWordEnd && run[to]!.isWordEnd) to += 1;
    calls.push(callOf(voice, run, from, to));
    from = to;
  }
  return calls;
}

/** Adds a neighbor on either side, for coarticulation across calls. */
function callOf(voice: SourceVoice, run: readonly PlannedItem[], from: number, to: number): SourceCall {
  const call: SourceCall = { voice, text: '', items: [], context: [] };
  for (let at = Math.max(0, from - 1); at < Math.min(run.length, to + 1); at += 1) {
    const { spoken, ...item } = run[at]!;
    if (call.text !== '') call.text += ' ';
    const start = [...call.text].length;
    call.text += spoken;
    const placed = { ...item, from: start, to: start + [...spoken].length };
    if (at >= from && at < to) call.items.push(placed);
    else call.context.push(placed);
  }
  return call;
}

function itemsOf(word: SpokenWord, index: number): PlannedItem[] {
  if (word.language === 'english') return englishItems(word, index);
  const syllables = word.reading.flatMap((syllable) => syllableOf(syllable, word.language) ?? []);
  return syllables.map((syllable, at) => ({
    ...syllable,
    word: index,
    written: word.written,
    isWordStart: at === 0,
    isWordEnd: at === syllables.length - 1,
  }));
}

type Syllable = Pick<PlannedItem, 'spoken' | 'reading' | 'tone' | 'isOnlyCoda'>;

function syllableOf(text: string, language: Language): Syllable | null {
  return language === 'cantonese' ? cantoneseSyllable(text) : mandarinSyllable(text);
}

function cantoneseSyllable(text: string): Syllable | null {
  const reading = normalizeSyllable(text);
  const syllable = reading === null ? null : parseSyllable(reading);
  if (reading === null || syllable === null) return null;
  const isOnlyCoda = syllable.onset === '' && (syllable.rime === 'm' || syllable.rime === 'ng');
  const spoken = isOnlyCoda ? `${syllable.rime === 'm' ? 'am' : 'ang'}${syllable.tone}` : reading;
  return { spoken, reading, tone: syllable.tone, isOnlyCoda };
}

/** Spellings of letters that espeak-ng reads as English letters. */
const IONG: Readonly<Record<string, string>> = { j: 'tS;', q: 'tS;h', x: 'S;' };
/** Interjections outside the syllable table; espeak-ng gets them as they are. */
const INTERJECTIONS = /^(?:m|n|ng|hm|hng|ê|yo|lo|o)([1-5])$/;

function mandarinSyllable(text: string): Syllable | null {
  const trimmed = text.trim().toLowerCase();
  const written = trimmed === 'r5' || trimmed === 'r' ? 'er5' : trimmed.replace(/^([a-zü]+)r([1-5])$/, withoutFinalR);
  const syllable = parsePinyin(written);
  if (syllable === null) {
    const interjection = INTERJECTIONS.exec(written);
    if (interjection === null) return null;
    const spoken = written.replace('ê', 'ei').replace(/^(?:m|n|hm|hng|ng)\d/, (m) => `en${m.at(-1)}`);
    return { spoken, reading: trimmed, tone: Number(interjection[1]), isOnlyCoda: false };
  }
  const reading = formatPinyin(syllable);
  const onset = syllable.rime === 'iong' ? IONG[syllable.onset] : undefined;
  const spoken = onset === undefined ? reading : `[[${onset}j'ong]]`;
  return { spoken, reading, tone: syllable.tone, isOnlyCoda: false };
}

/** Drops the r of `huar1`, which would otherwise not be spoken. */
function withoutFinalR(withR: string, base: string, tone: string): string {
  return parsePinyin(withR) === null ? `${base}${tone}` : withR;
}

/** Keeps letters only, because espeak-ng reads signs aloud. */
function englishItems(word: SpokenWord, index: number): PlannedItem[] {
  const mnemonics = word.reading.length > 0 ? arpabetToMnemonics(word.reading) : null;
  const parts =
    mnemonics === null
      ? inItems(word.spokenForm.normalize('NFC').match(/[\p{Script=Latin}\p{N}]+(?:['’][\p{Script=Latin}]+)*/gu) ?? [])
      : [mnemonics];
  return parts.map((spoken, at) => ({
    spoken,
    reading: parts.length === 1 ? word.spokenForm : spoken,
    tone: 0,
    isOnlyCoda: false,
    word: index,
    written: word.written,
    isWordStart: at === 0,
    isWordEnd: at === parts.length - 1,
  }));
}

/**
 * Splits into as few items as the length limit allows: a number or abbreviation is several words to
 * espeak-ng.
 */
function inItems(words: readonly string[]): string[] {
  const items: string[] = [];
  for (const word of words) {
    const letters = [...word];
    for (let from = 0; from < letters.length; from += WORD_LETTERS) {
      const part = letters.slice(from, from + WORD_LETTERS).join('');
      const last = items.at(-1);
      if (last === undefined || last.length + part.length >= ITEM_LETTERS) items.push(part);
      else items[items.length - 1] = `${last} ${part}`;
    }
  }
  return items;
}
