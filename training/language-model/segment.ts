/** Segments text into words. */
export type Segmenter = (text: string) => string[];

/**
 * Segments by the most probable words of a unigram model: words → counts. Unknown characters are
 * separate words.
 */
export function createSegmenter(counts: Map<string, number>, maximumLength: number): Segmenter {
  let total = 0;
  for (const count of counts.values()) total += count;
  const unknownCost = Math.log(total) + 5;
  return (text) => {
    const chars = [...text];
    const best = new Float64Array(chars.length + 1).fill(Infinity);
    const from = new Int32Array(chars.length + 1);
    best[0] = 0;
    for (let start = 0; start < chars.length; start++) {
      let word = '';
      for (let end = start + 1; end <= Math.min(chars.length, start + maximumLength); end++) {
        word += chars[end - 1];
        const count = counts.get(word);
        if (count === undefined && end > start + 1) continue;
        const cost = (best[start] ?? 0) + (count === undefined ? unknownCost : Math.log(total / count));
        if (cost < (best[end] ?? 0)) {
          best[end] = cost;
          from[end] = start;
        }
      }
    }
    const words: string[] = [];
    for (let end = chars.length; end > 0; end = from[end] ?? 0) words.unshift(chars.slice(from[end], end).join(''));
    return words;
  };
}
