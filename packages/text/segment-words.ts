/** Made when it is first needed; making one takes some milliseconds. */
let segmenter: Intl.Segmenter | null = null;

/**
 * The words of a Chinese or mixed text as a reader parts them, with the places at which they begin; marks and spaces are parts too, which
 * are not `isWordLike`. To be iterated and never spread: that takes a second for a long text.
 */
export function segmentWords(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('zh-Hant', { granularity: 'word' });
  return segmenter.segment(text);
}
