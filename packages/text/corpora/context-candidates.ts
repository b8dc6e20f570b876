import { segmentWords } from '#text/segment-words.ts';
import { toHongKong, toSimplified } from '#text/script/convert-script.ts';
import { countHan } from './check-entry.ts';
import { isEverydayWord, isFunctionWord } from './everyday-words.ts';

type ContextCandidate = { text: string; weight: number };

const MAX_CANDIDATES = 500;
/** Limit of a hint; a longer text is prose, not a list of terms. */
const MAX_CONTEXT_CHARS = 20_000;
const MAX_LISTED_CHARS = 8;
const MAX_JOINED_CHARS = 5;
const LISTED_WEIGHT = 2;
const WORD_WEIGHT = 1;
const HAS_HAN = /\p{Script=Han}/u;
const BOUNDARY = /[\p{P}\p{S}\p{Z}\p{C}]+/u;

/**
 * Extracts words and phrases of a hint that may be spoken, each once: first phrases that stand
 * alone (2 to 8 Chinese characters between punctuation, spaces or line breaks, unless they read as
 * a sentence), then words of two or more Chinese characters, then adjacent words as one, because
 * word segmentation splits names.
 */
export function contextCandidates(context: string): ContextCandidate[] {
  const text = context.slice(0, MAX_CONTEXT_CHARS).toWellFormed().normalize('NFC');
  if (!HAS_HAN.test(text)) return [];
  const listed = new Set<string>();
  const words = new Set<string>();
  const joined = new Set<string>();
  for (const chunk of inHongKongCharacters(text).split(BOUNDARY)) {
    if (countHan(chunk) < 2) continue;
    const { runs, isSentence } = contentOf(chunk);
    if (!isSentence && !isEverydayWord(chunk)) listed.add(chunk);
    for (const run of runs) {
      for (const word of run) if (countHan(word) >= 2) words.add(word);
      if (joined.size < MAX_CANDIDATES) addJoined(run, joined);
    }
  }
  const unlisted = new Set([...words, ...joined].filter((term) => !listed.has(term)));
  return [
    ...[...listed].map((term) => ({ text: term, weight: LISTED_WEIGHT })),
    ...[...unlisted].map((term) => ({ text: term, weight: WORD_WEIGHT })),
  ].slice(0, MAX_CANDIDATES);
}

/** Divides a phrase into runs of words between function words and everyday words. */
function contentOf(chunk: string): { runs: string[][]; isSentence: boolean } {
  let isSentence = countHan(chunk) > MAX_LISTED_CHARS;
  let run: string[] = [];
  const runs = [run];
  for (const { segment } of segmentWords(chunk)) {
    if (isFunctionWord(segment)) isSentence = true;
    if (isEverydayWord(segment)) {
      run = [];
      runs.push(run);
    } else {
      run.push(segment);
    }
  }
  return { runs, isSentence };
}

/** Joins two or more adjacent words of at most five Chinese characters: 陳|志明, 立法|會, 啟|德|站. */
function addJoined(run: readonly string[], joined: Set<string>): void {
  for (let from = 0; from < run.length; from += 1) {
    let text = run[from] ?? '';
    for (let at = from + 1; at < run.length; at += 1) {
      text += run[at] ?? '';
      const hanCount = countHan(text);
      if (hanCount > MAX_JOINED_CHARS || at - from >= MAX_JOINED_CHARS) break;
      if (hanCount >= 2 && !isEverydayWord(text)) joined.add(text);
    }
  }
}

/**
 * Converts Simplified text only: the rules for Cantonese spelling would change names in Traditional
 * text, such as 黎.
 */
function inHongKongCharacters(text: string): string {
  return toSimplified(text) === text ? toHongKong(text) : text;
}
