import type { Language, Word } from '@jyutsing/contracts/transcript';
import { joinWords } from './join-words.ts';
import { toChineseMarks } from './punctuation/chinese-marks.ts';
import { punctuate } from './punctuation/punctuate.ts';
import { toHongKong, toHongKongEach, toSimplified, toSimplifiedEach } from './script/convert-script.ts';

/** The text of a segment, and its words in the same script with their times. */
type FinishedText = { text: string; words: Word[] };

const SENTENCE_MARK = /[，。！？、；：,.!?;:…]$/u;
const ONLY_MARKS = /^[\p{P}\s]+$/u;

/**
 * Finishes the raw output of a recognizer: converts each word to the script of the language (Hong
 * Kong Traditional for Cantonese, Simplified for Mandarin; English in capitals becomes lower case),
 * puts spaces only between Latin words, and adds punctuation from pauses and particles unless the
 * words bring their own. Words correspond one to one to the input, except that words of punctuation
 * only move into the text.
 */
export function finishText(
  words: readonly Word[],
  language: Language,
  { punctuation = true }: { punctuation?: boolean } = {},
): FinishedText {
  const spoken = words.filter(({ text }) => text.trim() !== '');
  const texts = writeEach(
    spoken.map(({ text }) => text.trim()),
    spoken.map(({ reading }) => reading),
    language,
  );
  const written = spoken.map((word, index) => ({ ...word, text: texts[index] ?? word.text }));
  const isPunctuated = written.some(({ text }) => SENTENCE_MARK.test(text) && !/^\p{L}\.$/u.test(text));
  const text = punctuation && !isPunctuated ? punctuate(written, language) : joinPunctuated(texts, language);
  return { text, words: written.filter((word) => !ONLY_MARKS.test(word.text)) };
}

/**
 * Converts a text that has punctuation already to the script of the language, character by
 * character, and the marks of Chinese to full width.
 */
export function toScriptOf(text: string, language: Language): string {
  if (language === 'english') return text;
  return toChineseMarks(language === 'cantonese' ? toHongKong(text) : toSimplified(text));
}

function writeEach(texts: string[], readings: (string | null)[], language: Language): string[] {
  if (language === 'cantonese') return toHongKongEach(texts, readings);
  if (language === 'mandarin') return toSimplifiedEach(texts);
  // Models trained on LibriSpeech output capitals only; a single word in capitals is an acronym.
  const isShouted = texts.length > 1 && texts.every((text) => text === text.toUpperCase());
  return isShouted ? texts.map((text) => text.toLowerCase()) : texts;
}

function joinPunctuated(texts: readonly string[], language: Language): string {
  const joined = joinWords(texts);
  // English has a space after punctuation, except where the recognizer wrote the next word directly
  // after it.
  return language === 'english' ? joined.replace(/([,.!?;:])(?=\p{L})/gu, '$1 ') : toChineseMarks(joined);
}
