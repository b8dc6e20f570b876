import type { PhraseEnding, SpokenPiece, SpokenWord } from '@jyutsing/contracts/spoken-text';
import { normalizeSyllable, parseSyllable } from '@jyutsing/text/syllables/jyutping';
import type { SentencePiece } from './sentence-piece.ts';

/** Seconds of sound for each character of a text of phonemes (median of the publisher's draws). */
const SECONDS_PER_CHARACTER = 0.0213;
/** How much longer than expected a piece may become before it is cut. */
const LONGEST_SHARE = 2.5;
/** The least and the most frames of a piece; the most are 30 s. */
const FRAMES = { least: 50, most: 375 } as const;

/** A mark after each phrase, of those that the model was taught. */
const MARKS: Readonly<Record<PhraseEnding, string>> = {
  none: '',
  comma: '，',
  statement: '。',
  question: '？',
  exclamation: '！',
  ellipsis: '。',
};
const SENTENCE_ENDS = '。！？.!?；;';

/** A rime of newer word lists that the model was not taught, and the nearest one that it was. */
const NEAREST_RIMES: Readonly<Record<string, string>> = { up: 'op' };

/**
 * Writes a piece as the model was taught to read it: `<o-g> <r-wong> <t2>` for syllables (onset,
 * rime, tone), English words as they are, and the marks of the phrases, all between single spaces.
 * Empty where nothing of it can be spoken.
 */
export function phonemesOf(piece: SpokenPiece): string {
  const phrases = piece.phrases.map(({ words, ending }) => ({
    spoken: words.flatMap(tokensOf),
    mark: MARKS[ending],
  }));
  return phrases
    .flatMap(({ spoken, mark }) => (spoken.length === 0 ? [] : [...spoken, mark]))
    .filter((token) => token !== '')
    .join(' ');
}

/** The text that the tokens are made of: a sentence without an end gets one. */
export function preparedText(phonemes: string): string {
  const text = phonemes.trim().replaceAll(/[\r\n ]+/g, ' ');
  return SENTENCE_ENDS.includes(text.at(-1) ?? '') ? text : `${text}。`;
}

/** How long the sound of some phonemes usually is, in seconds. */
export function expectedSeconds(phonemes: string): number {
  return SECONDS_PER_CHARACTER * Math.max(1, phonemes.length);
}

/** The most frames for some phonemes, so that a draw that does not stop is cut early. */
export function frameLimit(phonemes: string, framesPerSecond: number): number {
  const frames = Math.ceil(LONGEST_SHARE * expectedSeconds(phonemes) * framesPerSecond);
  return Math.max(FRAMES.least, Math.min(FRAMES.most, frames));
}

/**
 * Returns a function that gives the token numbers of a prepared text: phonemes by their names, all
 * else through the tokenizer.
 */
export function createTokenizer(
  sentencePiece: SentencePiece,
  addedTokens: Readonly<Record<string, number>>,
): (prepared: string) => number[] {
  const names = Object.keys(addedTokens).toSorted((a, b) => b.length - a.length);
  const added = new Map(Object.entries(addedTokens));
  const between = new RegExp(
    `(${names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|')})`,
    'u',
  );
  return (prepared) =>
    prepared.split(between).flatMap((part) => {
      const id = added.get(part);
      if (id !== undefined) return [id];
      return part === '' ? [] : sentencePiece.encode(part);
    });
}

function tokensOf(word: SpokenWord): string[] {
  if (word.language !== 'cantonese' || word.reading.length === 0) return wordsIn(word.spokenForm);
  return word.reading.flatMap((syllable) => {
    const parsed = parseSyllable(normalizeSyllable(syllable) ?? '');
    if (parsed === null) return wordsIn(syllable);
    const { onset, rime, tone } = parsed;
    return [onset === '' ? '' : `<o-${onset}>`, `<r-${NEAREST_RIMES[rime] ?? rime}>`, `<t${tone}>`];
  });
}

/**
 * The words of a text as the model was taught to read them: an apostrophe is a word. The signs that
 * name tokens are removed, so that no text can stand for one.
 */
function wordsIn(text: string): string[] {
  return text
    .replaceAll(/[<>\u2581]/g, ' ')
    .replaceAll(/['’]/g, " ' ")
    .split(/\s+/)
    .filter((part) => /[\p{L}\p{N}']/u.test(part));
}
