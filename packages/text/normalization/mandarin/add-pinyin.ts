import * as traditionalPresets from 'opencc-js/preset/t2cn';
import { pinyin } from 'pinyin-pro';
import { createConverter } from '#text/script/opencc.ts';
import { withParticles, withWritings } from '#text/script/writings.ts';
import type { AddWordReadings } from '#text/normalization/tokens.ts';
import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import { LONGEST_WORD, NEUTRAL_LAST, readingsOfWords } from './mandarin-readings.ts';
import { readByContext } from './particle-readings.ts';
import { readByFrame } from './polyphones.ts';
import { applySandhi, type Foot, type Syllable } from './tone-sandhi.ts';

// Like `toSimplified` of script.ts, which also loads the tables of the other direction.
const fromHongKong = createConverter(traditionalPresets, 'hk2s');
const fromTaiwan = createConverter(traditionalPresets, 'tw2s');
const WORDS = new Intl.Segmenter('zh', { granularity: 'word' });
const HAN = /\p{Script=Han}/u;
const PINYIN_OPTIONS = { type: 'array', toneType: 'num', v: true, toneSandhi: false } as const;
const SYLLABLE = /^([a-zê]+)([0-5])$/u;
/** Cantonese particles that Mandarin has no reading of, with the particle they are read like. */
const READ_LIKE: Readonly<Record<string, string>> = { 㗎: '呀' };
/** A number. The segmenter does not split it; here a digit with its place is one unit (九百, 三点). */
const NUMBER_RUN = /[零〇一二两三四五六七八九十百千万亿点幺]{3,}/gu;
const DIGIT_WITH_PLACE =
  /[一二两三四五六七八九][百千]|[一二两三四五六七八九]?十[一二三四五六七八九]?点?|[一二两三四五六七八九零]点|./gu;

/**
 * Adds pinyin as spoken: tones 1–5, `v` for ü, sandhi of 一, 不 and third tones over all words,
 * neutral tones of particles and suffixes; 儿 as a suffix is a syllable of its own, `er5`. Accepts
 * Traditional and Simplified characters. Words without Chinese characters keep an empty reading;
 * unknown characters get no syllable.
 */
export const addPinyin: AddWordReadings = (words) => {
  const read: SpokenWord[] = [];
  for (let from = 0; from < words.length;) {
    let to = from + 1;
    const isRead = HAN.test(words[from]!.spokenForm);
    // Latin words separate phrases: a tone before one does not depend on the word after it.
    while (to < words.length && HAN.test(words[to]!.spokenForm) === isRead) to += 1;
    const run = words.slice(from, to);
    read.push(...(isRead ? readRun(run) : run));
    from = to;
  }
  return read;
};

/** Converts Chinese of either script to the characters of the dictionary, one for one. */
export function simplifiedForReading(text: string): string {
  return withParticles(text, withWritings(text, fromTaiwan(fromHongKong(text))));
}

function readRun(words: readonly SpokenWord[]): SpokenWord[] {
  const chars = words.map(({ spokenForm }) => Array.from(spokenForm).filter((char) => HAN.test(char)));
  const syllables = readCharacters(chars.flat().join(''));
  let at = 0;
  return words.map((word, index) => {
    const count = chars[index]!.length;
    const reading = syllables.slice(at, at + count).filter((syllable) => syllable !== '');
    at += count;
    return { ...word, reading };
  });
}

/** One syllable for each character of a run of Chinese; empty if unknown. */
function readCharacters(traditional: string): string[] {
  // Characters beyond the basic plane would shift positions, and no dictionary word contains them.
  const simplified = simplifiedForReading(traditional);
  const text = Array.from(simplified, (char) => (char.length === 1 ? (READ_LIKE[char] ?? char) : '〇'));
  const written = Array.from(traditional);
  const isRare = written.map((char) => char.length > 1);
  const feet = footing(text.join(''));
  // The Simplified forms 䜩 and 㑩 have no reading; 讌 and 儸 have one.
  const readings = baseReadings(text).map((reading, index) =>
    SYLLABLE.test(reading) ? reading : (pinyin(written[index] ?? '', PINYIN_OPTIONS)[0] ?? ''),
  );
  overrideByWord(text, feet, readings);
  readDoubled(text.join(''), readings);
  const syllables: Syllable[] = readings.map((reading, index) => {
    const [, base = '', tone = '5'] = SYLLABLE.exec(reading) ?? [];
    return { char: text[index]!, base, tone: Number(tone) || 5 };
  });
  return applySandhi(syllables, feet).map(({ base, tone }, index) =>
    base === '' || isRare[index] ? '' : `${base}${tone}`,
  );
}

/** pinyin-pro by context, without its own sandhi, which ignores numbers and adjacent words. */
function baseReadings(text: readonly string[]): string[] {
  const whole = pinyin(text.join(''), PINYIN_OPTIONS);
  return whole.length === text.length ? whole : text.map((char) => pinyin(char, PINYIN_OPTIONS)[0] ?? '');
}

/** A word of two characters with each of them doubled: 弯弯曲曲. Words for relatives are no such. */
const DOUBLED = /([^爸妈爷奶哥姐弟妹叔舅姑婆公宝])\1(?!\1)([^爸妈爷奶哥姐弟妹叔舅姑婆公宝])\2/gu;

/** Reads the characters of doubled words as in the word. */
function readDoubled(text: string, readings: string[]): void {
  for (const { index, 1: first = '', 2: second = '' } of text.matchAll(DOUBLED)) {
    const word = first + second;
    if ([...WORDS.segment(word)].length > 1) continue;
    const syllables = readingsOfWords().get(word) ?? pinyin(word, PINYIN_OPTIONS);
    for (const offset of [0, 1, 2, 3]) {
      const syllable = syllables[offset >> 1] ?? '';
      if (/[1-4]$/.test(syllable)) readings[index + offset] = syllable;
    }
  }
}

function overrideByWord(text: readonly string[], feet: readonly Foot[], readings: string[]): void {
  const footAt = text.map(
    (_char, at) => feet.find(({ from, to }) => from <= at && at < to) ?? { from: at, to: at + 1 },
  );
  for (let at = 0; at < text.length;) {
    const length = readWordAt(text, at, footAt, readings);
    if (length > 0) {
      at += length;
      continue;
    }
    const { from, to } = footAt[at]!;
    const reading = readByContext({ text, at, wordFrom: from, wordTo: to });
    if (reading !== null) readings[at] = reading;
    at += 1;
  }
  for (const { from, to } of feet) {
    // A longer word ends like the word that it contains: 好朋友 like 朋友.
    if (to - from > 1 && NEUTRAL_LAST.has(text.slice(to - from === 3 ? from + 1 : from, to).join(''))) {
      readings[to - 1] = readings[to - 1]!.replace(/\d$/, '5');
    }
  }
}

/**
 * Applies the longest word of the table that begins here and ends where a word ends, but for 数
 * before a measure and 得 "must"; returns its length, or 0.
 */
function readWordAt(text: readonly string[], at: number, footAt: readonly Foot[], readings: string[]): number {
  // One counts what follows: 数圈数, while 数圈 is several rounds.
  if (text[at] === '数' && readByFrame(text, at) === 'shu3') return 0;
  const foot = footAt[at]!;
  const words = readingsOfWords();
  for (let length = Math.min(LONGEST_WORD, text.length - at); length > 1; length -= 1) {
    const syllables = words.get(text.slice(at, at + length).join(''));
    if (syllables === undefined) continue;
    const crosses = at + length > foot.to;
    const isFree = text[at] === '数' || text[at + length - 1] === '得';
    const endsWithWord = footAt[at + length - 1]!.to === at + length || isFree;
    if (crosses && (at !== foot.from || !endsWithWord)) continue;
    syllables.forEach((syllable, index) => {
      readings[at + index] = syllable;
    });
    return length;
  }
  return 0;
}

/** Two characters and a suffix whose third tone affects the previous one: 展览馆. */
const SUFFIX = /(?=.{2}[馆手者体品法岛港板])/gu;

/** The words of a run, with numbers split. */
function footing(text: string): Foot[] {
  const cuts = new Set<number>([0, text.length]);
  for (const { index } of WORDS.segment(text)) cuts.add(index);
  for (const run of text.matchAll(NUMBER_RUN)) {
    const end = run.index + run[0].length;
    for (let at = run.index + 1; at < end; at += 1) cuts.delete(at);
    for (const group of run[0].matchAll(DIGIT_WITH_PLACE)) cuts.add(run.index + group.index);
    cuts.add(end);
  }
  for (const suffix of text.matchAll(SUFFIX)) {
    const at = suffix.index + 2;
    if (cuts.has(suffix.index) && !cuts.has(suffix.index + 1) && cuts.has(at + 1)) cuts.delete(at);
  }
  const ordered = [...cuts].toSorted((a, b) => a - b);
  return ordered.slice(0, -1).map((from, index) => ({ from, to: ordered[index + 1]! }));
}
