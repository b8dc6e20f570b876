/** Created on first use, which takes some milliseconds. */
let segmenter: Intl.Segmenter | null = null;

/**
 * Segments a Chinese or mixed text into words with their positions; punctuation and spaces are
 * segments that are not `isWordLike`. Iterate over the result, do not spread it: that takes a
 * second for a long text.
 */
export function segmentWords(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('zh-Hant', { granularity: 'word' });
  return segmenter.segment(text);
}
