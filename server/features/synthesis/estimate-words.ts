import type { SpokenTime } from '@jyutsing/contracts/synthesizer';
import { segmentWords } from '@jyutsing/text/segment-words';
import type { SpeechPart } from './speech.ts';

/** Letters of a Latin word that take about as long as one Chinese character. */
const LETTERS_PER_SYLLABLE = 3;

/**
 * Gives each word a share of the sound by its length in syllables; pauses count to the words around
 * them. Off by some tenths of a second within a sentence.
 */
export function estimateWords(parts: readonly SpeechPart[], startMs: number, endMs: number): SpokenTime[] {
  const words = parts.flatMap(wordsOf);
  const weights = words.map(syllablesIn);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const msPerWeight = (endMs - startMs) / total;
  let before = 0;
  return words.map((text, index) => {
    const from = before;
    before += weights[index] ?? 0;
    return { text, startMs: startMs + from * msPerWeight, endMs: startMs + before * msPerWeight };
  });
}

function wordsOf(part: SpeechPart): string[] {
  if ('phrases' in part) return part.phrases.flatMap(({ words }) => words.map(({ written }) => written));
  const words: string[] = [];
  for (const { segment, isWordLike } of segmentWords(part.text)) if (isWordLike === true) words.push(segment);
  return words;
}

function syllablesIn(word: string): number {
  const letters = word.match(/[A-Za-z\u00c0-\u024f]/gu)?.length ?? 0;
  return Math.max(1, [...word].length - letters + letters / LETTERS_PER_SYLLABLE);
}
