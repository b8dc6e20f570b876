import { median } from '@jyutsing/numeric/statistics';
import type { Language, Word } from '@jyutsing/contracts/transcript';
import { clauseOdds } from '#text/boundaries/clause-odds.ts';
import { capitalizePronoun, capitalizeStart } from './english-capitals.ts';
import { isSpaceBetween, joinWords } from '#text/join-words.ts';
import { isQuestion } from './questions.ts';

/**
 * Pauses of this length end a clause or a sentence: about the 90th and 99th percentile of gaps
 * within sentences.
 */
const COMMA_PAUSE_MS = 350;
const STOP_PAUSE_MS = 900;
/** A pause after a word or two is hesitation, not the end of a clause. */
const MIN_UNITS_BEFORE_COMMA = 4;
/** The fewest words of a clause, even where the words are clear. */
const MIN_CLAUSE = 2;
/** From these log-odds on, a clause may be shorter than `MIN_UNITS_BEFORE_COMMA`: 係啊，我未見過. */
const SURE_ODDS = 1.5;
/**
 * Log-odds that a pause (ms) adds to those of the words for a clause end; linear between the
 * points. Without a pause, nine of ten marks must be right; a pause of `COMMA_PAUSE_MS` is enough
 * where the words say little, and within a word it takes nearly twice as long.
 */
const PAUSE_ODDS = [
  { pauseMs: 0, odds: -1.2 },
  { pauseMs: COMMA_PAUSE_MS, odds: 2 },
  { pauseMs: STOP_PAUSE_MS, odds: 5 },
  { pauseMs: 2_000, odds: 20 },
] as const;
/**
 * The part of a unit's duration beyond this multiple of the median is silence: some recognizers
 * extend a word until the next one.
 */
const MAX_UNIT_DURATION_FACTOR = 2;

/** Telephone numbers of Hong Kong have eight digits; two years beside each other are none. */
const TELEPHONE_DIGITS = 8;
const TELEPHONE =
  /(?<![\d零〇一二兩三四五六七八九十百千萬億第])[2二3三5五6六7七8八9九][\d零〇一二三四五六七八九]{7}(?![\d零〇一二兩三四五六七八九十百千萬億年])/gu;
/** Number of words after a pause that may belong to a question before it: 你去唔去，我都去. */
const WORDS_AFTER = 6;

/** The context of the words; the default is that they begin a sentence and that a pause follows. */
export type PunctuationContext = {
  /** The words continue a sentence, so that they begin without a capital. */
  continues?: boolean;
  /** Milliseconds of silence after the last word. */
  pauseAfterMs?: number;
};

type Marks = { comma: string; stop: string; question: string };
const CHINESE_MARKS: Marks = { comma: '，', stop: '。', question: '？' };
const ENGLISH_MARKS: Marks = { comma: ',', stop: '.', question: '?' };

/**
 * Adds punctuation to words with times: commas and full stops at pauses, in Chinese where the words
 * agree and also where they alone are clear; question marks by particles and interrogatives; one
 * mark at the end unless the next word follows at once. Conservative: no mark in doubt. Chinese
 * gets full-width marks; English also capitals (the first word of a sentence, I). Words are
 * otherwise unchanged.
 */
export function punctuate(
  words: readonly Word[],
  language: Language,
  { continues = false, pauseAfterMs = Infinity }: PunctuationContext = {},
): string {
  const spoken = words.filter((word) => word.text.trim() !== '');
  const marks = language === 'english' ? ENGLISH_MARKS : CHINESE_MARKS;
  const pauses = pausesAfter(spoken, pauseAfterMs);
  const inTelephone = insideTelephoneNumbers(spoken);
  const odds = clauseOdds(
    spoken.map(({ text }) => text),
    language,
  );
  const finish = (text: string) => {
    if (language !== 'english') return text;
    return capitalizePronoun(continues && sentences.length === 0 ? text : capitalizeStart(text));
  };
  const sentences: string[] = [];
  let clause: string[] = [];
  let sentence = '';
  let before = '';
  let units = 0;
  let unitsInClause = 0;
  spoken.forEach((word, index) => {
    clause.push(word.text.trim());
    units += unitsIn(word.text);
    unitsInClause += unitsIn(word.text);
    if (inTelephone[index] === true) return;
    const pauseMs = pauses[index] ?? 0;
    const isLast = index === spoken.length - 1;
    const wordOdds = isLast ? null : (odds?.[index] ?? null);
    if (!isClauseEnd(wordOdds, pauseMs)) return;
    // Without a clear pause, a single word is no clause.
    if (pauseMs < COMMA_PAUSE_MS && index + MIN_CLAUSE >= spoken.length) return;
    const isSure = wordOdds !== null && wordOdds >= SURE_ODDS;
    const isStop = pauseMs >= STOP_PAUSE_MS && (isLast || units >= MIN_CLAUSE);
    const isComma = isLast || unitsInClause >= (isSure ? MIN_CLAUSE : MIN_UNITS_BEFORE_COMMA);
    if (!isStop && !isComma) return;
    const isAsked = isQuestion(clause, language, {
      before,
      after: isStop ? '' : textAfter(spoken, index),
    });
    // A question ends at a shorter pause too.
    const endsSentence = isStop || isAsked;
    sentence += join(clause, language, sentence) + (isAsked ? marks.question : isStop ? marks.stop : marks.comma);
    before = endsSentence ? '' : joinWords(clause);
    clause = [];
    unitsInClause = 0;
    if (!endsSentence) return;
    sentences.push(finish(sentence));
    sentence = '';
    units = 0;
  });
  // The rest has no mark, because the next piece continues it.
  const rest = clause.length === 0 ? sentence : sentence + join(clause, language, sentence);
  if (rest !== '') sentences.push(finish(rest));
  return sentences.join(language === 'english' ? ' ' : '');
}

/**
 * Whether a clause ends at a pause. `wordOdds`: log-odds of an end by the words on both sides; null
 * if they say nothing.
 */
export function isClauseEnd(wordOdds: number | null, pauseMs: number): boolean {
  if (wordOdds === null) return pauseMs >= COMMA_PAUSE_MS;
  const next = PAUSE_ODDS.findIndex((point) => point.pauseMs > pauseMs);
  if (next <= 0) return true;
  const [from, to] = [PAUSE_ODDS[next - 1]!, PAUSE_ODDS[next]!];
  const share = (pauseMs - from.pauseMs) / (to.pauseMs - from.pauseMs);
  return wordOdds + from.odds + share * (to.odds - from.odds) >= 0;
}

/** The number of Chinese characters; 1 for a word without any. */
function unitsIn(word: string): number {
  return Math.max(1, word.match(/\p{Script=Han}/gu)?.length ?? 0);
}

/** The words after a word, as far as they may decide whether it ends a question. */
function textAfter(words: readonly Word[], index: number): string {
  return joinWords(words.slice(index + 1, index + 1 + WORDS_AFTER).map(({ text }) => text.trim()));
}

/**
 * For every word, whether a telephone number continues after it, so that a pause is no mark: 九八七六
 * 五四三二.
 */
function insideTelephoneNumbers(words: readonly Word[]): boolean[] {
  let at = 0;
  const ends = words.map((word) => (at += word.text.length));
  const numbers = [
    ...words
      .map(({ text }) => text)
      .join('')
      .matchAll(TELEPHONE),
  ].filter(([digits]) => !/^(?:[12一二][9九0零〇].{2}){2}$/u.test(digits));
  const inside = new Set(
    numbers.flatMap(({ index }) => Array.from({ length: TELEPHONE_DIGITS - 1 }, (_, digit) => index + digit + 1)),
  );
  return ends.map((end) => inside.has(end));
}

function join(clause: readonly string[], language: Language, before: string): string {
  let text = language === 'english' && before !== '' ? ' ' : '';
  let last = '';
  for (const word of clause) {
    text += last !== '' && isSpaceBetween(last, word) ? ` ${word}` : word;
    last = word;
  }
  return text;
}

/**
 * Milliseconds of silence after each word: the gap before the next word, and the excess of its
 * duration.
 */
function pausesAfter(words: readonly Word[], afterLastMs: number): number[] {
  const lengths = words.map(({ startMs, endMs }) => Math.max(0, endMs - startMs));
  const usualMs = median(lengths, 0);
  return words.map((word, index) => {
    const next = words[index + 1];
    if (next === undefined) return afterLastMs;
    const gapMs = Math.max(0, next.startMs - word.endMs);
    // Long English words have long durations.
    const longestMs = usualMs * MAX_UNIT_DURATION_FACTOR * Math.max(1, word.text.length / 8);
    return gapMs + Math.max(0, word.endMs - word.startMs - longestMs);
  });
}
