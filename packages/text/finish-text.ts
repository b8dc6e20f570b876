import type { Language, Word } from '@jyutsing/contracts/transcript';
import { joinWords } from './join-words.ts';
import { punctuate } from './punctuation.ts';
import { toHongKong, toHongKongEach, toSimplified, toSimplifiedEach } from './script.ts';

/** What is shown of a segment: its text, and its words in the same script with the times they had. */
export type FinishedText = { text: string; words: Word[] };

const SENTENCE_MARK = /[，。！？、；：,.!?;:…]$/u;
const ONLY_MARKS = /^[\p{P}\s]+$/u;

/**
 * The last step of every recogniser whose output is raw: the script of the language word by word (Hong Kong Traditional for
 * Cantonese, Simplified for Mandarin; English in capitals becomes small), spaces only between Latin words, and punctuation
 * from pauses and particles unless the words bring their own. The answer's words stand one for one for those given, less
 * the ones that are punctuation only: those go into the text.
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

/** A text that has its punctuation already, in the script of the language; one character for each. */
export function toScriptOf(text: string, language: Language): string {
  if (language === 'english') return text;
  return language === 'cantonese' ? toHongKong(text) : toSimplified(text);
}

function writeEach(texts: string[], readings: (string | null)[], language: Language): string[] {
  if (language === 'cantonese') return toHongKongEach(texts, readings);
  if (language === 'mandarin') return toSimplifiedEach(texts);
  // Models trained on LibriSpeech know capitals only; one word in capitals is an abbreviation.
  const isShouted = texts.length > 1 && texts.every((text) => text === text.toUpperCase());
  return isShouted ? texts.map((text) => text.toLowerCase()) : texts;
}

function joinPunctuated(texts: readonly string[], language: Language): string {
  const joined = joinWords(texts);
  // After a mark the next Latin word is no neighbour of the last one, but English has a space there all the same.
  return language === 'english' ? joined.replace(/([,.!?;:])(?=\p{L})/gu, '$1 ') : joined;
}
