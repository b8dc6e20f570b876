/** Pronunciation of one letter of a word: one or two phones joined with `+`, or `-` for none. */
export type Chunk = string;

const SILENT = '-';
const ROUNDS = 6;
/** Odds of unseen chunks: small, but every word must be alignable. */
const UNSEEN = 1e-6;

type Entry = { word: string; phones: readonly string[] };

/**
 * Aligns the phones of each word with its letters, up to two per letter, by Viterbi
 * expectation-maximization: each round finds the likeliest alignment given the pronunciations in
 * the previous one. Skips words that cannot be aligned.
 */
export function alignLetters(entries: readonly Entry[]): { word: string; chunks: Chunk[] }[] {
  let odds = initialOdds(entries);
  let aligned: { word: string; chunks: Chunk[] }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const counts = new Map<string, Map<Chunk, number>>();
    aligned = [];
    for (const { word, phones } of entries) {
      const chunks = bestAlignment(word, phones, odds);
      if (chunks === null) continue;
      aligned.push({ word, chunks });
      chunks.forEach((chunk, index) => count(counts, word.charAt(index), chunk, 1));
    }
    odds = normalized(counts);
  }
  return aligned;
}

type Odds = (letter: string, chunk: Chunk) => number;

function count(counts: Map<string, Map<Chunk, number>>, letter: string, chunk: Chunk, by: number): void {
  const chunkCounts = counts.get(letter) ?? new Map<Chunk, number>();
  chunkCounts.set(chunk, (chunkCounts.get(chunk) ?? 0) + by);
  counts.set(letter, chunkCounts);
}

/** Initially any letter may have any phone near its position. */
function initialOdds(entries: readonly Entry[]): Odds {
  const counts = new Map<string, Map<Chunk, number>>();
  for (const { word, phones } of entries) {
    for (let at = 0; at < word.length; at += 1) {
      const middle = (at * phones.length) / word.length;
      count(counts, word.charAt(at), SILENT, 0.5);
      phones.forEach((phone, index) => count(counts, word.charAt(at), phone, 1 / (1 + (index - middle) ** 2)));
    }
  }
  const odds = normalized(counts);
  // Two phones for one letter are rare (x, u), so they start with lower odds.
  return (letter, chunk) => {
    if (!chunk.includes('+')) return odds(letter, chunk);
    return chunk.split('+').reduce((product, phone) => product * odds(letter, phone), 0.05);
  };
}

function normalized(counts: ReadonlyMap<string, ReadonlyMap<Chunk, number>>): Odds {
  const totals = new Map(
    [...counts].map(([letter, chunkCounts]) => [letter, [...chunkCounts.values()].reduce((sum, one) => sum + one, 0)]),
  );
  return (letter, chunk) => Math.max(UNSEEN, (counts.get(letter)?.get(chunk) ?? 0) / (totals.get(letter) ?? 1));
}

function bestAlignment(word: string, phones: readonly string[], odds: Odds): Chunk[] | null {
  const width = phones.length + 1;
  const best = new Float64Array((word.length + 1) * width).fill(-Infinity);
  const from = new Int8Array(best.length);
  best[0] = 0;
  for (let at = 0; at < word.length; at += 1) {
    for (let used = 0; used < width; used += 1) {
      const score = best[at * width + used] ?? -Infinity;
      if (score === -Infinity) continue;
      for (let size = 0; size <= 2 && used + size < width; size += 1) {
        const next = (at + 1) * width + used + size;
        const total = score + Math.log(odds(word.charAt(at), chunkOf(phones, used, size)));
        if (total > (best[next] ?? -Infinity)) {
          best[next] = total;
          from[next] = size;
        }
      }
    }
  }
  let used = phones.length;
  if (best[word.length * width + used] === -Infinity) return null;
  const chunks: Chunk[] = [];
  for (let at = word.length; at > 0; at -= 1) {
    const size = from[at * width + used] ?? 0;
    used -= size;
    chunks.push(chunkOf(phones, used, size));
  }
  return chunks.toReversed();
}

function chunkOf(phones: readonly string[], start: number, size: number): Chunk {
  return size === 0 ? SILENT : phones.slice(start, start + size).join('+');
}
