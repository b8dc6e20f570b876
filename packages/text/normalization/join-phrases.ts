import type { PhraseEnding, SpokenPhrase } from '@jyutsing/contracts/spoken-text';
import type { Language } from '@jyutsing/contracts/transcript';
import { isSpaceBetween } from '#text/join-words.ts';

const CHINESE: Readonly<Record<PhraseEnding, string>> = {
  none: '',
  comma: '，',
  statement: '。',
  question: '？',
  exclamation: '！',
  ellipsis: '……',
};
const ENGLISH: Readonly<Record<PhraseEnding, string>> = {
  none: '',
  comma: ',',
  statement: '.',
  question: '?',
  exclamation: '!',
  ellipsis: '...',
};

/** Joins the phrases of a piece to one text with punctuation, for engines that read text. */
export function joinPhrases(phrases: readonly SpokenPhrase[], language: Language): string {
  let text = '';
  for (const { words, ending } of phrases) {
    for (const { spokenForm } of words) {
      // The last characters suffice; the whole text would take quadratic time.
      const end = text.slice(-4);
      const needsSpace = isSpaceBetween(end, spokenForm) || (/[,.!?]$/.test(end) && language === 'english');
      text += needsSpace ? ` ${spokenForm}` : spokenForm;
    }
    const isChinese = language !== 'english' && words.some((word) => word.language !== 'english');
    text += (isChinese ? CHINESE : ENGLISH)[ending];
  }
  return text;
}
