import { meanConfidence } from '#features/transcription/mean-confidence.ts';
import { splitIntoUnits } from '@jyutsing/text/join-words';
import type { Segment, Word } from '@jyutsing/contracts/transcript';

/**
 * A Chinese character, or a run of letters and digits. Punctuation and spaces are no tokens,
 * because they cannot be changed.
 */
export type Token = { text: string; isHan: boolean };

const HAS_HAN = /\p{Script=Han}/u;
const TOKENS = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu;
/** A Chinese character with its combining marks and selectors, or one other character. */
const PIECES = /\p{Script=Han}[\p{Mn}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]*|[^]/gu;
const HAN_PIECE = /\p{Script=Han}[\p{Mn}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]*/u;

export function tokensOf(text: string): Token[] {
  return (text.match(TOKENS) ?? []).map((token) => ({ text: token, isHan: HAS_HAN.test(token) }));
}

/**
 * Characters that replace the Chinese characters `from` to `to` (exclusive; indexes among the
 * Chinese characters of the text), each with its reading. `span` is their time, used only if their
 * number differs from that of the old ones.
 */
export type Replacement = {
  from: number;
  to: number;
  characters: readonly string[];
  readings: readonly string[];
  span: { startMs: number; endMs: number } | null;
  /** The term that they are part of; null: they sound like what was heard. */
  term: string | null;
};

/**
 * The words of a segment, at most one Chinese character each, if they match its text in order;
 * otherwise null, because characters cannot be assigned to words.
 */
export function wordsOfCharacters(segment: Segment): Word[] | null {
  const words = segment.words.flatMap((word) => (countHan(word.text) > 1 ? splitIntoUnits(word) : [word]));
  return words.length === 0 || countHan(words.map(({ text }) => text).join('')) === countHan(segment.text)
    ? words
    : null;
}

/**
 * Applies replacements (in order, not overlapping). A character that replaces one keeps its time
 * and confidence; if the number changes, the time is divided evenly.
 */
export function rewrite(segment: Segment, words: readonly Word[], replacements: readonly Replacement[]): Segment {
  return {
    ...segment,
    text: rewriteText(segment.text, replacements),
    words: words.length === 0 ? [] : rewriteWords(segment, words, replacements),
  };
}

function rewriteText(text: string, replacements: readonly Replacement[]): string {
  let han = 0;
  let written = '';
  for (const piece of text.match(PIECES) ?? []) {
    if (!HAS_HAN.test(piece)) {
      written += piece;
      continue;
    }
    const replacement = replacements.find(({ from, to }) => from <= han && han < to);
    if (replacement === undefined) written += piece;
    else if (replacement.from === han) written += replacement.characters.join('');
    han += 1;
  }
  return written;
}

function rewriteWords(segment: Segment, words: readonly Word[], replacements: readonly Replacement[]): Word[] {
  const written: Word[] = [];
  let han = 0;
  for (const [index, word] of words.entries()) {
    if (!HAS_HAN.test(word.text)) {
      written.push(word);
      continue;
    }
    const replacement = replacements.find(({ from, to }) => from <= han && han < to);
    if (replacement === undefined) written.push(word);
    else if (replacement.characters.length === replacement.to - replacement.from) {
      const at = han - replacement.from;
      const text = word.text.replace(HAN_PIECE, () => replacement.characters[at] ?? '');
      const corrected = text === word.text ? {} : { corrected: { from: word.text, term: replacement.term } };
      written.push({ ...word, text, reading: replacement.readings[at] ?? null, ...corrected });
    } else if (replacement.from === han) {
      const count = replacement.to - replacement.from;
      const next = words[index + count];
      written.push(
        ...shareOut(replacement, words.slice(index, index + count), {
          startMs: written.at(-1)?.endMs ?? segment.startMs,
          endMs: next?.startMs ?? segment.endMs,
        }),
      );
    }
    han += 1;
  }
  return written;
}

/**
 * Divides the time of the old words and of the recognized syllables, limited by the neighbors,
 * among the new words.
 */
function shareOut(
  { characters, readings, span, term }: Replacement,
  old: readonly Word[],
  free: { startMs: number; endMs: number },
): Word[] {
  const oldStartMs = old[0]?.startMs ?? free.startMs;
  const oldEndMs = old.at(-1)?.endMs ?? oldStartMs;
  const startMs = Math.min(oldStartMs, Math.max(free.startMs, span?.startMs ?? oldStartMs));
  const endMs = Math.max(oldEndMs, Math.min(free.endMs, span?.endMs ?? oldEndMs));
  const confidence = meanConfidence(old);
  const corrected = { from: old.map(({ text }) => text).join(''), term };
  const at = (index: number) => Math.round(startMs + ((endMs - startMs) * index) / characters.length);
  return characters.map((text, index) => ({
    text,
    reading: readings[index] ?? null,
    startMs: at(index),
    endMs: at(index + 1),
    confidence,
    corrected,
  }));
}

function countHan(text: string): number {
  return text.match(/\p{Script=Han}/gu)?.length ?? 0;
}
